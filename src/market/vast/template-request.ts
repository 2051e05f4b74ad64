import { UserError } from '../../core/errors.ts';
import { buildEnvFlags, findEnvProblems, type InstanceEnv, parseEnvFlags } from '../env-flags.ts';
import type { TemplateDraft } from '../template.ts';
import { findRuntypeProblem, withoutUndefined } from './create-request.ts';
import type { Dialect } from './dialect.ts';
import { offerFieldsOf } from './filter-fields.ts';
import { findFilterProblems } from './filter-rules.ts';
import { findOnstartProblem } from './onstart.ts';

/** Returns the problems of a template's fields, one sentence each; none: they can be sent. */
export function findTemplateProblems(fields: Partial<TemplateDraft>, dialect: Dialect): string[] {
  const { name, image, onstart, runtype, recommendedDiskGb, env, extraFilters } = fields;
  const { dockerLoginUser, dockerLoginPass } = fields;
  const isEmpty = (text: string | undefined): boolean => text !== undefined && text.trim() === '';
  const problems = [
    isEmpty(name) ? 'the template needs a name' : null,
    isEmpty(image) ? 'the template needs an image' : null,
    onstart === undefined ? null : findOnstartProblem(onstart),
    runtype === undefined ? null : findRuntypeProblem(runtype),
    recommendedDiskGb === undefined || (Number.isFinite(recommendedDiskGb) && recommendedDiskGb > 0)
      ? null
      : `recommended disk ${recommendedDiskGb}: give GB above 0`,
    (dockerLoginUser ?? '') === '' && (dockerLoginPass ?? '') !== ''
      ? 'a registry password needs its user and registry too: give all three or none'
      : null,
  ].filter((problem) => problem !== null);
  return [
    ...problems,
    ...(env === undefined ? [] : findEnvFieldProblems(env)),
    ...findFilterProblems(extraFilters ?? {}, offerFieldsOf(dialect), 'extraFilters'),
  ];
}

/** Returns the request fields, only for those given. Source: docs/marketplace.md#23-template. */
export function toTemplateFields(fields: Partial<TemplateDraft>): Record<string, unknown> {
  const { env } = fields;
  return withoutUndefined({
    name: fields.name,
    image: fields.image,
    tag: fields.tag,
    desc: fields.description,
    readme: fields.readme,
    env: typeof env === 'object' ? buildEnvFlags(env) : env,
    onstart: fields.onstart,
    runtype: fields.runtype,
    args_str: fields.args,
    ssh_direct: fields.sshDirect,
    use_ssh: fields.useSsh,
    jup_direct: fields.jupyterDirect,
    jupyter_dir: fields.jupyterDir,
    use_jupyter_lab: fields.useJupyterLab,
    docker_login_repo: fields.dockerLoginRepo,
    docker_login_user: fields.dockerLoginUser,
    docker_login_pass: fields.dockerLoginPass,
    href: fields.href,
    repo: fields.repo,
    extra_filters: fields.extraFilters,
    recommended_disk_space: fields.recommendedDiskGb,
    private: fields.isPrivate,
  });
}

/** Returns the request fields of a new template; registry fields are required and empty without a registry. */
export const toNewTemplate = (draft: TemplateDraft): Record<string, unknown> => ({
  docker_login_repo: '',
  docker_login_user: '',
  docker_login_pass: '',
  ...toTemplateFields(draft),
});

/** Returns the credentials among the fields, which no message may show. */
export function secretsOf({ dockerLoginPass, env }: Partial<TemplateDraft>): string[] {
  const values = typeof env === 'string' ? Object.values(parseEnvFlags(env).env) : Object.values(env ?? {});
  return [dockerLoginPass ?? '', ...values].filter((value) => value.length >= 6);
}

function findEnvFieldProblems(env: string | InstanceEnv): string[] {
  if (typeof env !== 'string') return findEnvProblems(env);
  try {
    const { env: entries, rest } = parseEnvFlags(env);
    const others =
      rest.length === 0
        ? []
        : [`env: "${rest[0]}" is not accepted: write -e NAME=value or -p HOST:CONTAINER`];
    return [...others, ...findEnvProblems(entries)];
  } catch (error) {
    if (error instanceof UserError) return [error.message];
    throw error;
  }
}
