import { checkExpectation, type Observed } from './expectation.ts';
import { fillTemplate, messageBytes, pivotOf, type Variables } from './fill-bytes.ts';
import { selectValues } from './json-path.ts';
import { exchangeBytes, type RawAnswer, type RawTarget } from './raw-socket.ts';
import type { WireCase } from './wire-file.ts';

/** A marketplace to play cases against. */
export interface Stage {
  target: RawTarget;
  /** Names that cases can use besides their captures: `key`, `host` and keys with fewer rights. */
  variables: ReadonlyMap<string, unknown>;
  /** The market's own time, unix seconds. */
  marketSeconds: () => number;
  /** Lets that many seconds of the market's time pass. */
  passTime: (seconds: number) => Promise<void>;
  /** Is called before every request, for markets with a rate limit. */
  awaitTurn: () => Promise<void>;
  timeoutMs: number;
  /** Whether the market was set up so that every case can be judged: then a missing value is a failure. */
  isComplete: boolean;
  /** Facts that the market knows but no endpoint shows; null: unavailable. */
  truth: (() => unknown) | null;
  /** Answers of files that say `# repeatable: yes`, by file and bytes. */
  remembered: Map<string, Promise<RawAnswer>>;
}

/** The result of a case. `untold`: the market has no data to judge the case by, which is not a failure. */
export type Verdict = { kind: 'passed' } | { kind: 'failed' | 'untold'; reason: string };

/** Plays one case of `wire/server` with a raw socket. Never rejects: errors become the verdict. */
export async function playServerCase(wireCase: WireCase, stage: Stage): Promise<Verdict> {
  const variables: Variables = new Map(stage.variables);
  variables.set('started', Math.floor(stage.marketSeconds()));
  let observed: Observed | null = null;
  let asked = '';
  try {
    for (const { name, argument, text } of wireCase.blocks) {
      variables.set('now', Math.floor(stage.marketSeconds()));
      if (name === 'wait') {
        await stage.passTime(Number(fillTemplate(argument, variables)));
      } else if (name === 'request') {
        const bytes = messageBytes(withBasePath(fillTemplate(text, variables), stage.target.basePath));
        asked = bytes.toString('utf8').split('\r\n', 1)[0] ?? '';
        observed = observe(await send(wireCase, stage, bytes));
      } else if (name === 'truth' && stage.truth !== null) {
        asked = 'truth';
        observed = observe({ status: 0, headers: {}, body: JSON.stringify(stage.truth()) });
      } else if (name === 'expect' && observed !== null) {
        for (const line of text.split('\n')) {
          const [, given, wanted = ''] = /^(given )?(.*)$/.exec(line.trim()) ?? [];
          const problem = holdLine(wanted, observed, variables);
          if (problem === null) continue;
          const kind = given === undefined || stage.isComplete ? 'failed' : 'untold';
          const seen = `${observed.status} ${observed.body.slice(0, 300)}`;
          return { kind, reason: `${asked}: expected ${problem}. ${seen}` };
        }
      } else {
        throw new Error(`cannot play a block ${name}`);
      }
    }
    return { kind: 'passed' };
  } catch (error) {
    return { kind: 'failed', reason: `${asked}: ${(error as Error).message}` };
  }
}

async function send(wireCase: WireCase, stage: Stage, bytes: Buffer): Promise<RawAnswer> {
  const exchange = async (): Promise<RawAnswer> => {
    await stage.awaitTurn();
    return await exchangeBytes(stage.target, bytes, stage.timeoutMs);
  };
  if (wireCase.header.repeatable !== 'yes') return await exchange();
  const known = `${wireCase.file}\n${bytes.toString('latin1')}`;
  const remembered = stage.remembered.get(known) ?? exchange();
  stage.remembered.set(known, remembered);
  return await remembered;
}

function observe(answer: RawAnswer): Observed {
  try {
    return { ...answer, json: JSON.parse(answer.body) as unknown };
  } catch {
    return { ...answer, json: undefined };
  }
}

/** `capture name = path` keeps the first value found, `pivot …` one that divides them, `sum …` their sum. */
function holdLine(template: string, observed: Observed, variables: Variables): string | null {
  if (template === '' || template.startsWith('#')) return null;
  const line = fillTemplate(template, variables);
  const [, how, name = '', path = ''] = /^(capture|pivot|sum) (\w+) = (\S+)$/.exec(line) ?? [];
  if (how === undefined) return checkExpectation(line, observed);
  const values = selectValues(observed.json, path);
  const value = how === 'pivot' ? pivotOf(values) : how === 'sum' ? sumOf(values) : values[0];
  if (value === undefined || value === null)
    return `${line}, but found ${values.length} values and no such one`;
  variables.set(name, value);
  return null;
}

const sumOf = (values: readonly unknown[]): number =>
  values.reduce((sum: number, value) => sum + Number(value), 0);

const withBasePath = (text: string, basePath: string): string => text.replace(/^(\S+ )/, `$1${basePath}`);
