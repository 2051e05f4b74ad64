import type { Problem } from './api-client.ts';
import { sentenceCase } from './sentence-case.ts';

/** Returns what the API says is wrong with a field of a form, by the API's name; null: nothing. */
export type FieldErrors = (name: string) => string | null;

/** Returns the errors of a refused request by field. A name that is taken is an error of the name. */
function errorsOf(problem: Problem | null): Map<string, string> {
  const errors = new Map((problem?.errors ?? []).map(({ name, detail }) => [name, detail]));
  if (problem?.name === 'name-taken' && problem.detail !== null) errors.set('name', problem.detail);
  return errors;
}

/** Returns the errors of a refused request by field, with the form's labels in place of the API's names. */
export function fieldErrors(problem: Problem | null, labels: Readonly<Record<string, string>>): FieldErrors {
  const errors = errorsOf(problem);
  return (name) => {
    const detail = errors.get(name);
    if (detail === undefined) return null;
    return sentenceCase(detail.replace(/`([\w.]+)`/g, (text, field: string) => labels[field] ?? text));
  };
}

/** Whether a request was refused for nothing but these fields. */
export function isAboutFields(problem: Problem | null, names: readonly string[]): boolean {
  const wrong = [...errorsOf(problem).keys()];
  return wrong.length > 0 && wrong.every((name) => names.includes(name));
}
