import type { Api } from '../../core/terminal/api.ts';
import type { CommandContext } from '../../core/terminal/command-context.ts';

/** What to set before a kind of channel can send; null: nothing. On a database, the command's own settings decide. */
export async function missingOf(context: CommandContext, api: Api, kind: string): Promise<string | null> {
  const { items } = await api.listChannelKinds();
  const missing = items.find((each) => each.kind === kind)?.missing ?? null;
  if (missing === null || context.config().serverUrl !== null) return missing;
  return (
    `${missing} These are the settings of this command, which sends by itself: give it the same variable, ` +
    'or OFFERBOOK_URL and OFFERBOOK_TOKEN, so that the running service sends.'
  );
}
