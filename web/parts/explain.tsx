import type { ComponentChildren } from 'preact';
import type { ExplainParams } from '../core/api.ts';

/** Parameters of an explanation by their names; null: not given. */
export type Explained = { [Name in keyof Omit<ExplainParams, 'of'>]?: string | null };

/** Returns the query of an explanation of a figure: what it is, its own parameters, and shared ones. */
export function explainQuery(
  of: ExplainParams['of'],
  own: Explained,
  shared: URLSearchParams | '' = '',
): string {
  const query = new URLSearchParams(shared);
  query.delete('limit');
  for (const [name, value] of Object.entries({ of, ...own })) if (value != null) query.set(name, value);
  return String(query);
}

interface Props {
  /** null: the figure has no explanation. */
  query: string | null;
  children: ComponentChildren;
}

/** A figure that opens its explanation when clicked; the page handles the clicks. */
export function Explain({ query, children }: Props) {
  if (query === null) return <>{children}</>;
  return (
    <button type="button" class="explained" data-explain={query}>
      {children}
    </button>
  );
}
