type Scripts = Record<'env' | 'onstart', string>;

interface Props {
  values: Scripts;
  set: (changed: Partial<Scripts>) => void;
}

/** The environment and the start script of a rental. */
export function ScriptFields({ values, set }: Props) {
  return (
    <>
      {(['env', 'onstart'] as const).map((name) => (
        <label key={name} class="field long">
          <span>
            {name === 'env' ? 'Environment, one per line: NAME=value or -p 8080:8080' : 'Start script'}
          </span>
          <textarea
            name={name}
            rows={3}
            value={values[name]}
            onInput={({ currentTarget }) => set({ [name]: currentTarget.value })}
          />
        </label>
      ))}
    </>
  );
}
