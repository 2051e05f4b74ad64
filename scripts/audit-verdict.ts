interface AuditReport {
  error?: unknown;
  vulnerabilities?: Record<string, { severity: string; via: (string | { title: string; url: string })[] }>;
}

/** Vulnerabilities that do not stop a release: without a way in from outside, they wait for the next version. */
const tolerated = new Set(['info', 'low']);

/** Returns what `npm audit --json` found: in one line, and a sentence for each package that must be replaced. */
export function judgeAudit(output: string): { words: string; problems: string[] } {
  const { vulnerabilities, error } = readReport(output);
  if (vulnerabilities === undefined || error !== undefined) {
    return { words: 'npm audit: could not tell, because the registry did not answer it.', problems: [] };
  }
  const found = Object.entries(vulnerabilities);
  const problems = found
    .filter(([, { severity }]) => !tolerated.has(severity))
    .map(([name, { severity, via }]) => {
      const causes = via.map((each) => (typeof each === 'string' ? each : `${each.title} (${each.url})`));
      return `${name} has a vulnerability (${severity}): ${causes.join('; ')}`;
    });
  return { words: `npm audit: ${found.length} packages with known vulnerabilities.`, problems };
}

function readReport(output: string): AuditReport {
  try {
    return JSON.parse(output) as AuditReport;
  } catch {
    return {};
  }
}
