import { describe, expect, it, onTestFinished } from 'vitest';
import { accountRules } from '../../src/market/vast/account.ts';
import { createMarketClient } from '../../src/market/vast/client.ts';
import { defaultDialect, withoutIntervals } from '../../src/market/vast/dialect.ts';
import { compressCommand } from '../../src/market/vast/onstart.ts';
import { areActionsOn, GuardRefusal } from '../../src/rentals/actions-switch.ts';
import { createTemplateActions, readyTemplate } from '../../src/rentals/templates/template-actions.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { silentLog } from '../support/silent-log.ts';

const rules = accountRules(defaultDialect);
const longScript = 'echo "one line of many"\n'.repeat(400);
const noise = Array.from({ length: 9_000 }, (_, i) => ((i * 7_919 * (i + 13)) % 65_537).toString(36)).join(
  '',
);

describe('a prepared template', () => {
  it('reports every problem at once, including the command that compresses an over-long start script', () => {
    const fields = { name: ' ', image: 'i', onstart: longScript, env: '-p 80' };
    const { problems } = readyTemplate(fields, { compress: false, rules });
    expect(problems).toHaveLength(3);
    expect(problems[0]).toContain('needs a name');
    expect(problems[1]).toContain(`${longScript.length} characters`);
    expect(problems[1]).toContain(compressCommand);
    expect(problems[2]).toContain('"-p 80" is not a port mapping');
  });

  it('has a compressed start script if that is allowed, and a short one unchanged', () => {
    const long = readyTemplate({ onstart: longScript }, { compress: true, rules });
    expect(long.problems).toEqual([]);
    expect(long.fields.onstart?.length).toBeLessThan(300);
    const short = readyTemplate({ onstart: 'true\n' }, { compress: true, rules });
    expect(short).toEqual({ fields: { onstart: 'true\n' }, problems: [] });
  });

  it('is refused, with its other problems, if the script is too long even compressed', () => {
    const { problems } = readyTemplate({ onstart: noise, image: '' }, { compress: true, rules });
    expect(problems).toEqual([
      expect.stringMatching(/compressed, and the market accepts 4048/),
      'the template needs an image',
    ]);
  });

  it('has its env flags parsed, and other flags refused', () => {
    const env = `--env A=1 -e "B=two words" -p 8080:80`;
    expect(readyTemplate({ env }, { compress: false, rules }).fields).toEqual({
      env: { A: '1', B: 'two words', '-p 8080:80': '1' },
    });
    expect(readyTemplate({ env: '--gpus all' }, { compress: false, rules }).problems).toEqual([
      'env: "--gpus" is not accepted: write -e NAME=value or -p HOST:CONTAINER',
    ]);
  });
});

describe('the switch of actions', () => {
  it.each([
    [{ market: null, actions: null }, true],
    [{ market: {}, actions: null }, false],
    [{ market: {}, actions: true }, true],
    [{ market: null, actions: false }, false],
  ])('by %j is %s', (settings, isOn) => {
    expect(areActionsOn(settings)).toBe(isOn);
  });

  it('allows no change while it is off, and says how to turn it on', async () => {
    const simulator = createSimulator({ offersPerType: 10 });
    const { url } = await simulator.listen();
    const client = createMarketClient({
      ...{ baseUrl: url, apiKey: simulator.apiKey, dialect: withoutIntervals(defaultDialect) },
      ...{ maxBodyBytes: 1_000_000, log: silentLog },
    });
    onTestFinished(async () => {
      await client.close();
      await simulator.close();
    });
    let isOn = false;
    const templates = createTemplateActions(client, () => isOn);
    for (const change of [
      () => templates.createTemplate({ name: 'n', image: 'i' }),
      () => templates.editTemplate('0a1b', { name: 'm' }),
      () => templates.deleteTemplate(1),
    ]) {
      const error = await change().then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(GuardRefusal);
      expect(error).toMatchObject({ guard: 'actions', message: expect.stringContaining('ACTIONS=on') });
    }
    expect(simulator.requests()).toEqual([]);
    isOn = true;
    const { templateId, hashId } = await templates.createTemplate({ name: 'n', image: 'i' });
    await templates.editTemplate(hashId, { name: 'm' });
    await templates.deleteTemplate(templateId);
    expect(simulator.requests().map(({ method }) => method)).toEqual(['POST', 'PUT', 'DELETE']);
  });
});
