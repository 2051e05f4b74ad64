import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ImportEvent, ImportPhase, ImportTask } from './import-task.ts';

/** When to kill: `delayMs` after the first time that the import says it is in `phase` of book `book` or a later one. */
export interface KillPlan {
  phase: ImportPhase;
  book: number;
  /** Below 1: immediately. */
  delayMs: number;
}

export interface ImportEnd {
  /** Whether it was killed, according to the system; false: it ended by itself. */
  killed: boolean;
  /** Its last phase; null if it printed none. */
  last: { phase: ImportPhase; book: number } | null;
  /** Books stored now and before; null unless it finished. */
  counts: { landed: number; unchanged: number } | null;
  /** How long each phase took, in order, ms. */
  phaseMs: { phase: ImportPhase; ms: number }[];
  /** The first line that it wrote to stderr. */
  trouble: string;
}

const script = fileURLToPath(new URL('./import-child.ts', import.meta.url));

/** Runs an import in a separate process and, with a plan, kills it with SIGKILL. */
export async function runImportChild(task: ImportTask, plan: KillPlan | null): Promise<ImportEnd> {
  const child = spawn(process.execPath, [script, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end: ImportEnd = { killed: false, last: null, counts: null, phaseMs: [], trouble: '' };
  let timer: NodeJS.Timeout | null = null;
  let doomed = false;
  let begunAt = 0;
  const kill = (): void => void child.kill('SIGKILL');
  const note = (event: ImportEvent): void => {
    const now = performance.now();
    if (end.last !== null) end.phaseMs.push({ phase: end.last.phase, ms: now - begunAt });
    begunAt = now;
    if (event.event === 'end') {
      end.counts = { landed: event.landed, unchanged: event.unchanged };
      return;
    }
    end.last = { phase: event.phase, book: event.book };
    if (plan === null || doomed || event.phase !== plan.phase || event.book < plan.book) return;
    doomed = true;
    if (plan.delayMs < 1) kill();
    else timer = setTimeout(kill, plan.delayMs);
  };
  let unread = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (unread + text).split('\n');
    unread = lines.pop() ?? '';
    for (const line of lines) note(JSON.parse(line) as ImportEvent);
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  await once(child, 'close');
  if (timer !== null) clearTimeout(timer);
  end.killed = child.signalCode === 'SIGKILL';
  end.trouble = /^.*Error.*$/m.exec(stderr)?.[0] ?? stderr.trim();
  return end;
}
