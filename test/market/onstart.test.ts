import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { UserError } from '../../src/core/errors.ts';
import { compressCommand, compressOnstart, findOnstartProblem } from '../../src/market/vast/onstart.ts';

const padding = '# a comment that makes the script long, but easy to compress\n'.repeat(100);
const script = `${padding}set -e
value='quotes " and $dollars and \`ticks\`'
cat <<'END'
a here document with "quotes" and a tab	and ünïcödé
END
read -r line
echo "$value|$line|$0" && exit 7
`;

function run(shell: string, text: string, input: string): { out: string; status: number } {
  try {
    return { out: execFileSync(shell, ['-c', text, 'name'], { input, encoding: 'utf8' }), status: 0 };
  } catch (error) {
    const { stdout, status } = error as { stdout: string; status: number };
    return { out: stdout, status };
  }
}

describe('a compressed start script', () => {
  it.each(['sh', 'bash'])('does what the script does, in %s: output, input, exit code', (shell) => {
    const short = compressOnstart(script);
    expect(short.length).toBeLessThan(1_000);
    const expected = run(shell, script, 'from outside\n');
    expect(expected).toMatchObject({ status: 7, out: expect.stringContaining('from outside|name') });
    expect(run(shell, short, 'from outside\n')).toEqual(expected);
  });

  it('runs with the interpreter that its first line names', () => {
    const own = `#!/usr/bin/env -S node --stack-trace-limit=3\n${'// long\n'.repeat(900)}console.log(6 * 7);process.exit(3)\n`;
    expect(run('sh', compressOnstart(own), '')).toEqual({ out: '42\n', status: 3 });
  });

  it('is the script itself if that is short enough', () => {
    const longest = 'x'.repeat(4_048);
    expect([compressOnstart(longest), compressOnstart('')]).toEqual([longest, '']);
  });

  it('is refused if it is still too long', () => {
    const noise = Array.from({ length: 4_000 }, (_, i) =>
      ((i * 7_919 * (i + 13)) % 65_537).toString(36),
    ).join('');
    expect(() => compressOnstart(noise)).toThrow(UserError);
    expect(() => compressOnstart(noise)).toThrow(/compressed, and the market accepts 4048/);
  });
});

describe('the ready command of the error', () => {
  it('is in the message and makes a script that fits and does the same', () => {
    expect(findOnstartProblem('x'.repeat(4_048))).toBeNull();
    expect(findOnstartProblem('x'.repeat(4_049))).toContain(compressCommand);
    const folder = mkdtempSync(join(tmpdir(), 'onstart-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'onstart.sh'), script);
    execFileSync('sh', ['-c', compressCommand], { cwd: folder });
    const short = readFileSync(join(folder, 'short-onstart.sh'), 'utf8');
    expect(findOnstartProblem(short)).toBeNull();
    expect(run('sh', short, 'in\n')).toEqual(run('sh', script, 'in\n'));
  });
});
