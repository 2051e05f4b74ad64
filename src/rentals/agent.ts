import type { Actor } from './actor.ts';

/** The part of a request's context that says whether an agent sent it, through MCP. */
interface FromAgent {
  env: { isAgent?: boolean } | undefined;
}

/** Returns what acts for a request. */
export async function actorFor(c: FromAgent, { actor }: { actor: () => Promise<Actor> }): Promise<Actor> {
  const acting = await actor();
  return c.env?.isAgent === true ? { ...acting, isAgent: true } : acting;
}

/** Returns the name for the audit log of the token that acts: `night runs (agent)` through MCP. */
export const auditName = ({ isAgent }: Pick<Actor, 'isAgent'>, by: string): string =>
  isAgent === true ? `${by} (agent)` : by;
