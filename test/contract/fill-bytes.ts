/** The values of `{{name}}` in a case: texts verbatim, everything else as JSON. */
export type Variables = Map<string, unknown>;

/**
 * A template with its variables filled in: `{{name}}`; `{{name+60}}`, `{{name-other}}` of numbers; `{{name*9}}`, a text
 * nine times; `{{json:name}}`, as JSON with its quotes. Throws on a name that nothing was captured for.
 */
export function fillTemplate(template: string, variables: Variables): string {
  const lookUp = (name: string): unknown => {
    if (/^\d+$/.test(name)) return Number(name);
    if (!variables.has(name)) throw new Error(`nothing was captured as ${name}`);
    return variables.get(name);
  };
  return template.replace(
    /\{\{(json:)?([a-z]\w*)(?:([-+*])(\w+))?\}\}/gi,
    (whole, json: string | undefined, name: string, operator: string | undefined, operand = '') => {
      if (name === 'length') return whole;
      const value = lookUp(name);
      if (operator === '*') return String(value).repeat(Number(operand));
      if (operator === '+') return String(Number(value) + Number(lookUp(operand)));
      if (operator === '-') return String(Number(value) - Number(lookUp(operand)));
      return typeof value === 'string' && json === undefined ? value : JSON.stringify(value);
    },
  );
}

/**
 * The bytes of a message as written in a wire file: its head with CRLF, `%(text)%` percent-encoded in the first line
 * (so that JSON in a query can be read), `{{length}}` as the number of bytes of the body.
 */
export function messageBytes(text: string): Buffer {
  const headEnd = text.indexOf('\n\n');
  const [first = '', ...rest] = (headEnd < 0 ? text : text.slice(0, headEnd)).split('\n');
  const body = Buffer.from(headEnd < 0 ? '' : text.slice(headEnd + 2));
  const target = first.replace(/%\((.*?)\)%/g, (_, plain: string) => encodeURIComponent(plain));
  const head = [target, ...rest].join('\r\n').replaceAll('{{length}}', String(body.length));
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`), body]);
}

/**
 * Returns a value that divides the list: some are above it and some below, or with few different values at least some
 * differ. null if all known values are the same.
 */
export function pivotOf(values: readonly unknown[]): unknown {
  const known = values.filter((value) => value !== null && value !== undefined) as (
    | string
    | number
    | boolean
  )[];
  const different = [...new Set(known)].sort((a, b) => (a < b ? -1 : Number(a > b)));
  return different.length < 2 ? null : different[Math.floor(different.length / 2)];
}
