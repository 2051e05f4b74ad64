import { useId, useRef, useState } from 'preact/hooks';
import { getActions, listInstances, listWatches } from '../../client/operations.js';
import { problemOf, problemText } from '../core/api-client.ts';
import type { App } from '../core/app.ts';
import { countOf } from '../core/figures.ts';
import { isLacking } from '../core/market-parts.ts';
import { pathTo } from '../core/path-to.ts';
import { useAnswer } from '../core/use-answer.ts';
import { Icon } from '../parts/icon.tsx';
import type { NavItem } from '../parts/nav-item.ts';
import type { Command } from './command.ts';
import { findCommands } from './find-commands.ts';
import { listCommands } from './list-commands.ts';
import { numberedIn } from './numbered.ts';
import { useNumbered } from './use-numbered.ts';

interface Props {
  app: App;
  views: readonly NavItem[];
  close: () => void;
}

/** Searches models, machines, views, instances, watches and actions, and opens or does the one chosen. */
export function CommandPalette({ app, views, close }: Props) {
  const [text, setText] = useState('');
  const [place, setPlace] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const status = app.status.state.value.data;
  const hasAccount = !isLacking('account', status);
  const watches = useAnswer(app, pathTo(listWatches, { limit: 100 }));
  const instances = useAnswer(app, hasAccount ? pathTo(listInstances, {}) : null);
  const actions = useAnswer(app, hasAccount ? pathTo(getActions, {}) : null);
  const commands = listCommands(app, {
    views,
    watches: watches.data?.items ?? [],
    instances: instances.data?.items ?? [],
    actions: actions.data,
  });
  const numbered = useNumbered(app, text);
  const found = [...findCommands(commands, text), ...numbered.commands];
  const at = Math.min(place, Math.max(0, found.length - 1));
  const optionId = (index: number) => `${id}-${index}`;

  const move = (to: number) => {
    setPlace(to);
    list.current?.children[to]?.scrollIntoView({ block: 'nearest' });
  };
  const run = async (command: Command | undefined) => {
    if (command === undefined) return;
    // The focus returns first: a command may move it to another view.
    close();
    try {
      const said = await command.run();
      if (said !== undefined && said !== '') app.say(said);
    } catch (error) {
      app.say(problemText(problemOf(error)));
    }
  };
  const press = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowDown: at + 1 < found.length ? at + 1 : 0,
      ArrowUp: at > 0 ? at - 1 : found.length - 1,
      PageDown: Math.min(found.length - 1, at + 8),
      PageUp: Math.max(0, at - 8),
    };
    const to = moves[event.key];
    if (event.key === 'Enter') void run(found[at]);
    else if (to !== undefined) move(Math.max(0, to));
    else return;
    event.preventDefault();
  };

  return (
    <div class="commands">
      <input
        type="text"
        role="combobox"
        name="command"
        autocomplete="off"
        enterkeyhint="go"
        placeholder="A model, machine number, view, instance, watch or action"
        aria-label="Search models, machines, views, instances, watches and actions"
        aria-expanded={found.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={found.length === 0 ? undefined : optionId(at)}
        data-begin
        ref={focusOnce}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setPlace(0);
          list.current?.scrollTo(0, 0);
        }}
        onKeyDown={press}
      />
      <p class={found.length === 0 ? 'none soft' : 'hidden'} role="status">
        {found.length > 0
          ? countOf(found.length, 'result')
          : numbered.isSearching
            ? 'Searching…'
            : numberedIn(text) === null
              ? 'Nothing matches. Try fewer letters.'
              : 'Nothing matches: no offer of the newest books has this number.'}
      </p>
      <div ref={list} id={id} class="found" role="listbox" aria-label="Commands">
        {found.map((command, index) => (
          <button
            key={command.id}
            id={optionId(index)}
            role="option"
            type="button"
            tabIndex={-1}
            aria-selected={index === at}
            data-command={command.id}
            onPointerMove={() => setPlace(index)}
            onClick={() => void run(command)}
          >
            {command.isPinned === true && <Icon name="pin" />}
            <span>{command.label}</span>
            <small class="soft">{command.isPinned === true ? 'Pinned model' : command.kind}</small>
          </button>
        ))}
      </div>
    </div>
  );
}

/** Focuses an element that appears after its dialog. */
const focusOnce = (element: HTMLElement | null) => element?.focus();
