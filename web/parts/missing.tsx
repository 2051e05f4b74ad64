import type { ComponentChildren } from 'preact';
import type { Problem } from '../core/api-client.ts';
import type { Answer } from '../core/use-answer.ts';
import { Notice } from './notice.tsx';
import { ViewHead } from './view-head.tsx';

/** Whether an answer says that nothing has this id. */
export const isMissing = ({ data, problem }: Pick<Answer<unknown>, 'data' | 'problem'>): boolean =>
  data === null && saysUnknown(problem);

/** An id of the wrong form is answered like one that does not exist. */
const saysUnknown = (problem: Problem | null): boolean => problem?.status === 404 || problem?.status === 400;

interface Props {
  /** What was looked for: `Listing not found`. */
  title: string;
  /** Why it may be missing, and where to go on. */
  children: ComponentChildren;
}

/** A page in place of something that does not exist. */
export const Missing = ({ title, children }: Props) => (
  <>
    <ViewHead title={title} />
    <section class="card" aria-label={title} data-missing>
      <Notice title="Nothing has this address">{children}</Notice>
    </section>
  </>
);
