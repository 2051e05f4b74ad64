import { describe, expect, it } from 'vitest';
import type { Command } from '../../web/commands/command.ts';
import { findCommands } from '../../web/commands/find-commands.ts';

const command = (label: string, more: Partial<Command> = {}): Command => ({
  ...{ id: label, kind: 'Model', label, run: () => undefined },
  ...more,
});

const commands = [
  command('RTX 4090', { isPinned: true }),
  command('H100 SXM', { isRare: true }),
  command('RTX 5090', { isRare: true, words: 'trends prices' }),
  command('Deals of RTX 5090', { kind: 'View', isRare: true }),
  command('Trends', { kind: 'View' }),
  command('Settings', { kind: 'View' }),
  command('Log out', { kind: 'Action', words: 'sign out' }),
];

const found = (text: string) => findCommands(commands, text).map(({ label }) => label);

describe('the search for commands', () => {
  it('shows without a text what is not only searched for, in its order', () => {
    expect(found('  ')).toEqual(['RTX 4090', 'Trends', 'Settings', 'Log out']);
  });

  it('finds words by their beginning, in any order and case, whole names first', () => {
    expect(found('rtx')).toEqual(['RTX 4090', 'RTX 5090', 'Deals of RTX 5090']);
    expect(found('RTX 5090')).toEqual(['RTX 5090', 'Deals of RTX 5090']);
    expect(found('5090 deals')).toEqual(['Deals of RTX 5090']);
  });

  it('finds by other words after names, and by letters in their order last', () => {
    expect(found('sign')).toEqual(['Log out']);
    expect(found('trends')).toEqual(['Trends', 'RTX 5090']);
    expect(found('h1sx')).toEqual(['H100 SXM']);
    expect(found('etti')).toEqual(['Settings']);
  });

  it('finds nothing for what no command has', () => {
    expect(found('xyz')).toEqual([]);
    expect(found('rtx 7000')).toEqual([]);
  });
});
