/** A sample of Prometheus' text format. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** Returns the samples of a scrape, in its order. */
export function readSamples(text: string): Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', , inside = '', value] = /^(\w+)(\{(.*)\})? (\S+)$/.exec(line) ?? [];
      const labels = [...inside.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
        ([, label = '', text = '']) => [label, text.replace(/\\(.)/g, '$1')] as const,
      );
      return { name, labels: Object.fromEntries(labels), value: Number(value) };
    });
}
