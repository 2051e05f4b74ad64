import { distanceOf } from '../core/did-you-mean.ts';
import { settingsIn } from './config.ts';
import { isSecret } from './read-settings.ts';

/** Shorter names, like TZ, are one slip from too many others. */
const minLength = 4;

/** Returns a sentence for each variable of an environment that is one typing slip from a setting; never its value. */
export function mistypedSettings(env: Record<string, string | undefined>): string[] {
  const names = Object.keys(settingsIn(env));
  const known = [...names, ...names.filter(isSecret).map((name) => `${name}_FILE`)];
  return Object.keys(env)
    .filter((name) => !known.includes(name))
    .sort()
    .flatMap((name) => {
      const meant = known.find(
        (each) => each.length >= minLength && distanceOf(name.toUpperCase(), each) <= 1,
      );
      return meant === undefined ? [] : [`${name} is not a setting and is ignored. Did you mean ${meant}?`];
    });
}
