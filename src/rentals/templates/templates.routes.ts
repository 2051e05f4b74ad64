import { createRoute, z } from '@hono/zod-openapi';
import type { ApiApp } from '../../core/http/api-app.ts';
import { fieldsProblem } from '../../core/http/body-errors.ts';
import { badField, problemResponses } from '../../core/http/problem.ts';
import { storableLines, storableText } from '../../core/http/query.ts';
import { requireRole } from '../../core/http/require-role.ts';
import { jsonContent, noQuery } from '../../core/http/route-parts.ts';
import type { MarketFilters } from '../../core/market-filter.ts';
import { isStorableJson } from '../../core/storable-text.ts';
import type { AccountRules } from '../../market/account.ts';
import { runtypes, type Template, type TemplateDraft } from '../../market/template.ts';
import { callKnown, callMarket } from '../market-refusal.ts';
import type { RentalsDeps } from '../rentals-deps.ts';
import { actorTemplates, readyTemplate, templatesOf } from './template-actions.ts';

const tags = ['acting'];
const text = z.string().nullable();
const flag = z.boolean().nullable();
const moment = text.openapi({ format: 'date-time' });
const conditions = z
  .record(z.string(), z.record(z.string(), z.unknown()))
  .refine(isStorableJson, 'must not contain U+0000 or unpaired surrogates');

const TemplateSchema = z
  .object({
    templateId: z.int().openapi({ description: 'Used for deleting' }),
    hashId: text.openapi({ description: 'Used for renting and changing; differs after each change' }),
    name: z.string(),
    image: z.string(),
    tag: text,
    description: text,
    readme: text,
    env: text,
    onstart: text,
    runtype: text,
    args: text,
    useSsh: flag,
    sshDirect: flag,
    jupyterDirect: flag,
    jupyterDir: text,
    useJupyterLab: flag,
    dockerLoginRepo: text,
    href: text,
    repo: text,
    extraFilters: conditions.nullable(),
    recommendedDiskGb: z.number().nullable(),
    isPrivate: flag,
    isRecommended: flag,
    creatorId: z.number().nullable(),
    instancesCreated: z.number().nullable(),
    createdAt: moment,
    lastUsedAt: moment,
  })
  .openapi('Template');

const short = storableLines(1_000);
const long = storableLines(50_000);
const optional = z.boolean().optional();
const draft = {
  name: short.min(1),
  image: short.min(1),
  tag: short.optional(),
  description: long.optional(),
  readme: long.optional(),
  env: long.optional().openapi({ description: 'Flags: `-e NAME=value -p host:container`' }),
  onstart: long.optional(),
  compressOnstart: z.boolean().default(false).openapi({
    description: 'Compress a start script that is too long into one line that unpacks and runs it',
  }),
  runtype: z.enum(runtypes).optional(),
  args: short.optional(),
  useSsh: optional,
  sshDirect: optional,
  jupyterDirect: optional,
  useJupyterLab: optional,
  jupyterDir: short.nullable().optional(),
  dockerLoginRepo: short.optional(),
  dockerLoginUser: short.optional(),
  dockerLoginPass: short.optional().openapi({ description: 'Sent to the market and not stored' }),
  href: short.optional(),
  repo: short.optional(),
  extraFilters: conditions
    .optional()
    .openapi({ description: 'Conditions on offers by the market\'s names: `{"num_gpus":{"gte":2}}`' }),
  recommendedDiskGb: z.number().positive().optional(),
  isPrivate: optional,
};
const NewTemplateSchema = z.strictObject(draft).openapi('NewTemplate', {
  example: {
    name: 'notebook',
    image: 'pytorch/pytorch:latest',
    onstart: 'pip install wandb',
    recommendedDiskGb: 40,
  },
});
const TemplateChangeSchema = z
  .strictObject({ ...draft, name: draft.name.optional(), image: draft.image.optional() })
  .openapi('TemplateChange', { example: { tag: '2.9-cuda12' } });

const searchRoute = createRoute({
  operationId: 'listTemplates',
  method: 'get',
  path: '/api/templates',
  tags,
  summary: "The account's own templates and the public ones; needs the role operator",
  request: {
    query: z.strictObject({
      name: storableText(1_000).min(1).optional(),
      image: storableText(1_000).min(1).optional(),
      filters: z.string().max(10_000).optional().openapi({
        description: 'JSON: conditions in the market\'s field names, `{"name":{"eq":"trainer"}}`',
      }),
      orderBy: z.string().optional().openapi({ description: 'Column to sort by, as the market names it' }),
    }),
  },
  responses: {
    200: {
      description: 'The templates found; unreadable records are counted',
      content: jsonContent(
        z
          .object({ items: z.array(TemplateSchema), nextCursor: z.null(), rejected: z.int() })
          .openapi('Templates'),
      ),
    },
    ...problemResponses(400, 401, 403, 409, 502, 503),
  },
});

const createTemplateRoute = createRoute({
  operationId: 'createTemplate',
  method: 'post',
  path: '/api/templates',
  tags,
  summary: 'Create a template; needs the role operator',
  request: { query: noQuery, body: { required: true, content: jsonContent(NewTemplateSchema) } },
  responses: {
    201: {
      description: 'Its number and its hash',
      content: jsonContent(z.object({ templateId: z.int(), hashId: z.string() }).openapi('TemplateMade')),
    },
    ...problemResponses(400, 401, 403, 409, 502, 503),
  },
});

const changeRoute = createRoute({
  operationId: 'updateTemplate',
  method: 'patch',
  path: '/api/templates/{id}',
  tags,
  summary: 'Change fields of a template, which gives it a new hash; needs the role operator',
  request: {
    params: z.strictObject({ id: storableText(200).openapi({ description: 'Its hash' }) }),
    query: noQuery,
    body: { required: true, content: jsonContent(TemplateChangeSchema) },
  },
  responses: {
    200: {
      description: 'Its new hash',
      content: jsonContent(z.object({ hashId: z.string() }).openapi('TemplateChanged')),
    },
    ...problemResponses(400, 401, 403, 404, 409, 502, 503),
  },
});

const deleteRoute = createRoute({
  operationId: 'deleteTemplate',
  method: 'delete',
  path: '/api/templates/{id}',
  tags,
  summary: 'Delete a template of the account by its number; needs the role operator',
  request: {
    params: z.strictObject({
      id: z
        .string()
        .regex(/^\d{1,15}$/, 'must be the number, not the hash')
        .openapi({ type: 'integer', description: 'Its number, `templateId`' }),
    }),
    query: noQuery,
  },
  responses: {
    204: { description: 'The market has deleted it' },
    ...problemResponses(400, 401, 403, 404, 409, 502, 503),
  },
});

/** `/api/templates`. */
export function mountTemplates(app: ApiApp, deps: RentalsDeps): void {
  app.openapi(searchRoute, async (c) => {
    // Environments of templates may be confidential.
    requireRole(c, 'operator');
    const given = c.req.valid('query');
    const { name, image, filters, orderBy } = given;
    const actor = await deps.actor();
    const { rules } = actor.account;
    if (orderBy !== undefined && !rules.templateColumns.includes(orderBy)) {
      throw badField('orderBy', `must be one of ${rules.templateColumns.join(', ')}`);
    }
    const all = {
      ...readConditions(filters, rules),
      ...(name === undefined ? {} : { name: { eq: name } }),
      ...(image === undefined ? {} : { image: { eq: image } }),
    };
    const search = () => templatesOf(actor).searchTemplates({ filters: all, orderBy });
    const { templates, rejected } = await callMarket(given, search);
    return c.json({ items: templates.map(present), nextCursor: null, rejected: rejected.length }, 200);
  });
  app.openapi(createTemplateRoute, async (c) => {
    requireRole(c, 'operator');
    const { compressOnstart, ...given } = c.req.valid('json');
    const actor = await deps.actor();
    const fields = readyFields(fieldsOf(given), { compress: compressOnstart, rules: actor.account.rules });
    const templates = actorTemplates(actor, c.get('credential').name);
    const draft = { ...fields, name: given.name, image: given.image };
    return c.json(await callMarket(given, () => templates.createTemplate(draft)), 201);
  });
  app.openapi(changeRoute, async (c) => {
    requireRole(c, 'operator');
    const { compressOnstart, ...given } = c.req.valid('json');
    const { id: hashId } = c.req.valid('param');
    const actor = await deps.actor();
    const fields = readyFields(fieldsOf(given), { compress: compressOnstart, rules: actor.account.rules });
    if (Object.keys(fields).length === 0) throw badField('body', 'must contain at least one field to change');
    const templates = actorTemplates(actor, c.get('credential').name);
    const edit = () => templates.editTemplate(hashId, fields);
    return c.json(await callKnown(noTemplate(`the hash ${hashId}`), () => callMarket(given, edit)), 200);
  });
  app.openapi(deleteRoute, async (c) => {
    requireRole(c, 'operator');
    const templates = actorTemplates(await deps.actor(), c.get('credential').name);
    const { id: templateId } = c.req.valid('param');
    await callKnown(noTemplate(`the number ${templateId}`), () =>
      templates.deleteTemplate(Number(templateId)),
    );
    return c.body(null, 204);
  });
}

const noTemplate = (which: string): string =>
  `The account has no template with ${which}: \`offerbook templates search\` lists the current ones.`;

/** Returns the given fields, without undefined ones; contents of conditions are checked with the others. */
const fieldsOf = (given: Omit<z.output<typeof TemplateChangeSchema>, 'compressOnstart'>) =>
  Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<TemplateDraft>;

function readConditions(filters: string | undefined, rules: AccountRules): MarketFilters {
  if (filters === undefined) return {};
  const read = conditions.safeParse(parseJson(filters));
  if (!read.success) {
    throw badField('filters', 'must be JSON like {"name":{"eq":"trainer"}}');
  }
  const [problem] = rules.findTemplateFilterProblems(read.data);
  if (problem !== undefined) throw badField('filters', `cannot be used: ${problem}`);
  return read.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns the fields ready to send. Throws a 400 that names invalid ones. */
function readyFields(
  given: Partial<TemplateDraft>,
  options: Parameters<typeof readyTemplate>[1],
): Partial<TemplateDraft> {
  const { fields, problems } = readyTemplate(given, options);
  if (problems.length === 0) return fields;
  const ofField = Object.entries(given).map(([name, value]) => ({
    name,
    problems: readyTemplate({ [name]: value }, options).problems,
  }));
  const nameOf = (problem: string): string =>
    ofField.find((each) => each.problems.includes(problem))?.name ?? 'body';
  throw fieldsProblem(
    problems.map((problem) => ({ name: nameOf(problem), detail: `cannot be used: ${problem}` })),
  );
}

function present({ raw: _, createdAt, lastUsedAt, extraFilters, ...template }: Template) {
  return {
    ...template,
    extraFilters: extraFilters as z.infer<typeof conditions> | null,
    createdAt: createdAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
