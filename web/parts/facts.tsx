import type { ComponentChildren } from 'preact';

/** A fact: its name for tests, its label and its value. */
export type Fact = [name: string, label: ComponentChildren, value: ComponentChildren];

/** Facts in a row, each below its label. */
export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl class="figures">
    {facts.map(([name, label, value]) => (
      <div key={name}>
        <dt>{label}</dt>
        <dd data-fact={name}>{value}</dd>
      </div>
    ))}
  </dl>
);
