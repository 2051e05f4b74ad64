/** One finding of the doctor. */
export interface Finding {
  /** Groups findings: `offers`, `paging`, `tiers`, `instances`, `key`… */
  subject: string;
  /** `warning`: works, but unexpectedly. `failed`: did not answer. `unknown`: cannot be determined. */
  status: 'ok' | 'warning' | 'failed' | 'unknown' | 'off';
  /** For people: what was found and, if necessary, what to do. */
  message: string;
  /** For programs: figures by name. */
  measured: Readonly<Record<string, unknown>>;
}

/** Options for examining a market. */
export interface DiagnoseOptions {
  now: () => Date;
  /** Small requests sent one after the other until the market throttles; 0: none. */
  burst: number;
  /** Whether to probe the key's write rights, by sending requests that change nothing. */
  probeRights: boolean;
  /** Whether acting uses a separate key; null: a key is of no use, as for the built-in simulator. */
  hasActKey: boolean | null;
  /** Called with each finding as it comes. */
  onFinding?: ((finding: Finding) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Checks what the program relies on. Throws only the signal's reason; a market that does not answer is a finding. */
export type Diagnose = (options: DiagnoseOptions) => Promise<Finding[]>;
