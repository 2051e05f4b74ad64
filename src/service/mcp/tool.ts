import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { ApiError } from '../../../client/client.js';
import type { Api } from '../../core/terminal/api.ts';
import { wordsOfApiError } from '../commands/api-error-words.ts';
import { bytesOf, cutText, shorten } from './shorten.ts';

/** What a caller must have to see a tool: a role, or a role that may act where ACTIONS=on. */
export type ToolNeed = 'viewer' | 'operator' | 'acting';

/** What tools call. */
export interface ToolContext {
  api: Api;
  /** Address of the page, for links. */
  publicUrl: string;
}

type Shape = z.ZodRawShape;
type Values<S extends Shape> = z.output<z.ZodObject<S>>;

interface ToolSpec<In extends Shape, Out extends Shape> {
  name: string;
  title: string;
  description: string;
  needs: ToolNeed;
  /** @default a reading tool */
  changes?: { isDestructive: boolean; isIdempotent: boolean };
  input: In;
  /** The fields of the API's answer that are passed on; others are dropped. */
  output: Out;
  /** The list whose last items are kept where an answer would be too long; of others the first are. */
  keepLast?: keyof Out & string;
  /** Calls the API and returns its answer. */
  ask: (context: ToolContext, given: Values<In>) => Promise<object>;
  /** The answer in plain words, what matters first. */
  words: (answer: Values<Out>, given: Values<In>) => string;
  /** Path of the page that shows it. */
  page: (given: Values<In>) => string;
}

/** A tool of the MCP server. */
export interface Tool {
  name: string;
  needs: ToolNeed;
  /** Adds it to a server. */
  register: (server: McpServer, context: ToolContext) => void;
}

/** A call's answer stays below 8 KB with what the protocol adds. */
const maxResultBytes = 8_000;
const maxWordsBytes = 1_000;
/** Names of the result's own fields, and what is said about items left out. */
const maxOtherBytes = 250;
const maxPageLength = 500;

/** What the output of every tool has beside the API's fields. */
const common = {
  page: z.string().describe('Address of the page that shows this'),
  leftOut: z.int().describe('Items of lists that are left out to keep the answer short'),
};

/** Returns a tool over operations of the API. */
export function defineTool<In extends Shape, Out extends Shape>(spec: ToolSpec<In, Out>): Tool {
  const { name, title, description, needs, changes } = spec;
  const output = z.object(spec.output);
  const config = {
    title,
    description,
    inputSchema: z.strictObject(spec.input) as z.ZodType<object>,
    outputSchema: z.object({ ...spec.output, ...common }) as z.ZodType<object>,
    annotations: {
      title,
      readOnlyHint: changes === undefined,
      destructiveHint: changes?.isDestructive ?? false,
      idempotentHint: changes?.isIdempotent ?? true,
      openWorldHint: false,
    },
  };
  return {
    name,
    needs,
    register: (server, context) =>
      void server.registerTool(name, config, async (given: object): Promise<CallToolResult> => {
        const asked = given as Values<In>;
        const full = output.parse(await askPlainly(() => spec.ask(context, asked)));
        const page = `${context.publicUrl}${shortPage(spec.page(asked))}`;
        // The page is in the words and in the data.
        const room = maxResultBytes - maxWordsBytes - maxOtherBytes - 2 * bytesOf(page);
        const { answer, leftOut } = shorten(full, room, spec.keepLast);
        const more = leftOut === 0 ? '' : ` ${leftOut} more are left out: narrow the request to see them.`;
        const text = `${cutText(spec.words(answer, asked), maxWordsBytes)}${more}\n${page}`;
        return { content: [{ type: 'text', text }], structuredContent: { ...answer, page, leftOut } };
      }),
  };
}

/** A view with more conditions than an answer has room for is named without them. */
const shortPage = (page: string): string =>
  page.length <= maxPageLength ? page : (page.split('?')[0] ?? page);

/** Rethrows a refusal of the API in words; the SDK answers with them. */
async function askPlainly<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new Error(wordsOfApiError(error), { cause: error });
  }
}
