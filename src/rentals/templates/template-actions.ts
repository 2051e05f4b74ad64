import { UserError } from '../../core/errors.ts';
import type { AccountRules } from '../../market/account.ts';
import type { CallOptions } from '../../market/call.ts';
import { parseEnvFlags } from '../../market/env-flags.ts';
import type { TemplateCalls, TemplateDraft } from '../../market/template.ts';
import { requireActions } from '../actions-switch.ts';
import type { Actor } from '../actor.ts';
import { audited } from '../audited.ts';
import { present } from '../market-capability.ts';

/** Checked fields of a template, ready to send. */
export interface ReadyTemplate {
  fields: Partial<TemplateDraft>;
  /** What prevents sending them, one sentence each; empty: nothing. */
  problems: string[];
}

/**
 * Checks the fields of a template. Env flags are parsed and sent as entries; with `compress` an over-long start script
 * becomes one line that unpacks and runs it, without it such a script is a problem that names the command to compress
 * it.
 */
export function readyTemplate(
  fields: Partial<TemplateDraft>,
  { compress, rules }: { compress: boolean; rules: AccountRules },
): ReadyTemplate {
  const { onstart, ...others } = fields;
  const packed = compress && onstart !== undefined ? packOnstart(onstart, rules) : { onstart };
  if ('problem' in packed) {
    return { fields, problems: [packed.problem, ...rules.findTemplateProblems(others)] };
  }
  const short = onstart === undefined ? fields : { ...fields, onstart: packed.onstart };
  const problems = rules.findTemplateProblems(short);
  const { env } = short;
  if (problems.length > 0 || typeof env !== 'string') return { fields: short, problems };
  return { fields: { ...short, env: parseEnvFlags(env).env }, problems };
}

function packOnstart(
  script: string,
  { shortenScript }: AccountRules,
): { onstart: string } | { problem: string } {
  try {
    return { onstart: shortenScript(script) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { problem: error.message };
  }
}

/** The template calls that change the account. They cost nothing, so guards on money do not apply. */
export type TemplateActions = Pick<TemplateCalls, 'createTemplate' | 'editTemplate' | 'deleteTemplate'>;

/** Returns the calls behind the actions switch: while it is off, each throws a GuardRefusal and sends nothing. */
export function createTemplateActions(client: TemplateActions, isOn: () => boolean): TemplateActions {
  return {
    async createTemplate(draft: TemplateDraft, options?: CallOptions) {
      requireActions(isOn());
      return await client.createTemplate(draft, options);
    },
    async editTemplate(hashId: string, changes: Partial<TemplateDraft>, options?: CallOptions) {
      requireActions(isOn());
      return await client.editTemplate(hashId, changes, options);
    },
    async deleteTemplate(templateId: number, options?: CallOptions) {
      requireActions(isOn());
      await client.deleteTemplate(templateId, options);
    },
  };
}

/** The market's template calls. Throws a UserError if it has none. */
export const templatesOf = ({ account }: Pick<Actor, 'account'>): TemplateCalls =>
  present(account.templates, 'manage templates');

/** Returns the calls that change templates for someone: behind the switch, each in the audit log without its fields. */
export function actorTemplates(actor: Actor, by: string): TemplateActions {
  const actions = createTemplateActions(templatesOf(actor), () => actor.limits.actions);
  return {
    createTemplate: async (draft, options) =>
      await audited(actor, { by, action: 'create-template', detail: { name: draft.name } }, () =>
        actions.createTemplate(draft, options),
      ),
    editTemplate: async (hashId, changes, options) =>
      await audited(
        actor,
        { by, action: 'edit-template', detail: { hashId, fields: Object.keys(changes) } },
        () => actions.editTemplate(hashId, changes, options),
      ),
    deleteTemplate: async (templateId, options) =>
      await audited(actor, { by, action: 'delete-template', detail: { templateId } }, () =>
        actions.deleteTemplate(templateId, options),
      ),
  };
}
