type Step =
  | { kind: 'name'; name: string }
  | { kind: 'index'; index: number }
  | { kind: 'each' }
  | { kind: 'where'; name: string; value: unknown };

/**
 * What a path finds in a JSON value: `$`, `$.name`, `$.list[0]`, `$.list[-1]`, `$.list[*].id`, `$["odd name"]`,
 * `$.list[?name=5].id`, of the elements that have that member.
 * A missing member gives undefined, `[*]` of anything but a list gives nothing. Throws for an invalid path.
 */
export function selectValues(root: unknown, path: string): unknown[] {
  return parsePath(path).reduce<unknown[]>(
    (values, step) => values.flatMap((value) => take(value, step)),
    [root],
  );
}

function take(value: unknown, step: Step): unknown[] {
  if (step.kind === 'name') {
    return isRecord(value) && Object.hasOwn(value, step.name) ? [value[step.name]] : [undefined];
  }
  if (step.kind === 'where') {
    const elements: unknown[] = Array.isArray(value) ? value : [];
    return elements.filter((element) => isRecord(element) && element[step.name] === step.value);
  }
  if (step.kind === 'each') return Array.isArray(value) ? value : [];
  return [Array.isArray(value) ? value.at(step.index) : undefined];
}

function parsePath(path: string): Step[] {
  const steps: Step[] = [];
  const pattern = /\.([\w-]+)|\[(-?\d+)\]|\[(\*)\]|\[("(?:[^"\\]|\\.)*")\]|\[\?([\w-]+)=([^\]]+)\]/y;
  if (!path.startsWith('$')) throw new Error(`a path begins with $: ${path}`);
  for (let at = 1; at < path.length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const found = pattern.exec(path);
    if (found === null) throw new Error(`cannot read the path ${path} from ${path.slice(at)}`);
    const [, name, index, each, quoted, member, value] = found;
    if (name !== undefined) steps.push({ kind: 'name', name });
    else if (index !== undefined) steps.push({ kind: 'index', index: Number(index) });
    else if (each !== undefined) steps.push({ kind: 'each' });
    else if (member !== undefined)
      steps.push({ kind: 'where', name: member, value: JSON.parse(value ?? '') as unknown });
    else steps.push({ kind: 'name', name: JSON.parse(quoted ?? '""') as string });
  }
  return steps;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
