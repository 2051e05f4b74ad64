import { Banners } from './banners.tsx';
import { Choosers } from './choosers.tsx';
import { Login } from './login.tsx';
import { Masthead } from './masthead.tsx';
import { ProblemNotice } from './notice.tsx';
import type { PageState } from './page-state.ts';
import { RankingSection } from './ranking-section.tsx';
import { TrendSection } from './trend-section.tsx';

/** The whole page. */
export function Page({ state }: { state: PageState }) {
  const { data: status, problem } = state.status.state.value;
  const minutesSince = state.minutesSinceStatus.value;
  if (state.loginNeeded.value) {
    return (
      <>
        <Masthead status={null} />
        <Login state={state} />
      </>
    );
  }
  return (
    <>
      <Masthead status={status} minutesSince={minutesSince} />
      <main>
        {problem !== null && <ProblemNotice problem={problem} retry={state.status.reload} />}
        {status !== null && <Banners status={status} minutesSince={minutesSince} />}
        <Choosers state={state} status={status} />
        <TrendSection state={state} status={status} />
        <RankingSection state={state} status={status} />
      </main>
      <footer>
        {status !== null && <span>Offerbook {status.version}</span>}
        <a href="/api/docs">API</a>
      </footer>
    </>
  );
}
