/** One thing that the doctor looked at. */
export interface Finding {
  /** Groups findings: `offers`, `paging`, `tiers`, `instances`, `key`… */
  subject: string;
  /** `warning`: works, but not as the dialect or a crawl expects. `failed`: did not answer. `unknown`: cannot be told. */
  status: 'ok' | 'warning' | 'failed' | 'unknown' | 'off';
  /** For people: what was found and, where something is to do, what. */
  message: string;
  /** For programs: figures by name. */
  measured: Readonly<Record<string, unknown>>;
}

/** How a market is examined. */
export interface DiagnoseOptions {
  now: () => Date;
  /** Small requests sent one after the other until the market throttles; 0: none. */
  burst: number;
  /** Whether what the key may do beyond reading is asked too, which sends changes that change nothing. */
  probeRights: boolean;
  /** Whether acting has a key of its own. */
  hasActKey: boolean;
  /** Takes each finding as it comes. */
  onFinding?: ((finding: Finding) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Tries what the program relies on. Throws only the signal's reason; a market that does not answer is a finding. */
export type Diagnose = (options: DiagnoseOptions) => Promise<Finding[]>;
