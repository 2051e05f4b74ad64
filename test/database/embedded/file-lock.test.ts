import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLockFile, tryLock, waitForLock } from '../../../src/database/embedded/file-lock.ts';
import { makeSandbox, type Sandbox } from './sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await makeSandbox();
});
afterAll(() => sandbox.remove());

let made = 0;

function lockFile(name: string): string {
  // A test that is tried again has a file of its own.
  made += 1;
  const path = join(sandbox.folder, `${name}-${made}`);
  createLockFile(path, null);
  return path;
}

/** Another process that holds the lock until it is killed. */
async function holdElsewhere(path: string, kind: 'shared' | 'exclusive') {
  const module = new URL('../../../src/database/embedded/file-lock.ts', import.meta.url).href;
  // Referenced: garbage collection releases a lock without references.
  const code = `import { tryLock } from ${JSON.stringify(module)};
    globalThis.release = tryLock(${JSON.stringify(path)}, '${kind}');
    process.stdout.write(globalThis.release === null ? 'refused' : 'held');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await closed;
  };
  onTestFinished(kill);
  const [answer] = (await once(child.stdout, 'data')) as [Buffer];
  return { answer: answer.toString(), kill };
}

describe('a file lock', () => {
  it('is shared by any number and exclusive to one, within a process', () => {
    const path = lockFile('within');
    const [first, second] = [tryLock(path, 'shared'), tryLock(path, 'shared')];
    expect(first).not.toBeNull();
    expect(second).not.toBeNull();
    expect(tryLock(path, 'exclusive')).toBeNull();
    first?.();
    expect(tryLock(path, 'exclusive')).toBeNull();
    second?.();
    const alone = tryLock(path, 'exclusive');
    expect(alone).not.toBeNull();
    expect(tryLock(path, 'shared')).toBeNull();
    alone?.();
    alone?.();
  });

  it('works between processes and is freed when its holder is killed', async () => {
    const path = lockFile('between');
    const other = await holdElsewhere(path, 'exclusive');
    expect(other.answer).toBe('held');
    expect(tryLock(path, 'shared')).toBeNull();
    await other.kill();
    await expect
      .poll(() => {
        const mine = tryLock(path, 'exclusive');
        mine?.();
        return mine;
      })
      .not.toBeNull();
  });

  it('survives a failed attempt and a second creation by the same process', async () => {
    const path = lockFile('kept');
    const mine = tryLock(path, 'shared');
    expect(tryLock(path, 'exclusive')).toBeNull();
    createLockFile(path, null);
    const other = await holdElsewhere(path, 'exclusive');
    expect(other.answer).toBe('refused');
    await other.kill();
    mine?.();
  });

  it('goes to a waiting process, unless that gives up first', async () => {
    const path = lockFile('waited');
    const first = tryLock(path, 'exclusive');
    let noticed = 0;
    const waiting = { noticeAfterMs: 0, onWait: () => (noticed += 1) };
    expect(await waitForLock(path, { ...waiting, timeoutMs: 60 })).toBeNull();
    expect(noticed).toBe(1);
    const wait = waitForLock(path, { ...waiting, timeoutMs: 10_000 });
    first?.();
    const second = await wait;
    expect(second).not.toBeNull();
    second?.();
  });

  it('writes nothing into its file, so it works on a full disk', () => {
    const path = lockFile('empty');
    tryLock(path, 'exclusive')?.();
    expect(statSync(path).size).toBe(0);
  });
});
