import { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import { documentAt } from '../../core/program-file.ts';

const usd = z.number().min(0).max(1_000);

const dialectSchema = z.strictObject({
  path: z
    .string()
    .regex(/^\/[^?#\s]*$/, { error: 'expected a path that begins with /' })
    .default('/v1/marketplace'),
  minIntervalSeconds: z.number().min(0).max(3_600).default(1),
  storageUsdPerGbMonth: usd.default(0),
  inetDownUsdPerGb: usd.default(0),
  inetUpUsdPerGb: usd.default(0),
  rentingFeePercent: z.number().min(0).max(100).default(0),
});

/** Settings for what the documentation leaves open. Source: docs/clore.md#settings. */
export type CloreDialect = z.infer<typeof dialectSchema>;

/** Parses a dialect file's JSON text; null: the default dialect. Throws one UserError for all that is wrong. */
export function readCloreDialect(file: { text: string; source: string } | null): CloreDialect {
  if (file === null) return dialectSchema.parse({});
  const hint = `${documentAt('docs/clore.md')} lists the keys`;
  let given: unknown;
  try {
    given = JSON.parse(file.text);
  } catch (cause) {
    throw new UserError(`${file.source} is not JSON: ${(cause as Error).message}. ${hint}.`, {
      cause,
    });
  }
  const parsed = dialectSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.length === 0 ? 'the whole' : path.join('.')}: ${message}`,
  );
  throw new UserError(`${file.source} cannot be used: ${problems.join('; ')}. ${hint}.`);
}
