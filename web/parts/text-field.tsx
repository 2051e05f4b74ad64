import { useId } from 'preact/hooks';

interface Props {
  label: string;
  name: string;
  value: string;
  set: (value: string) => void;
  /** @default text */
  type?: 'text' | 'number' | 'datetime-local';
  /** What is wrong with it; null: nothing. */
  error?: string | null;
  title?: string;
  required?: boolean;
  /** Of a number. */
  min?: number;
  max?: number;
  placeholder?: string;
  /** Whether its text is long, such as an address. */
  wide?: boolean;
}

/** A field of a form, with the error of the last attempt to save below it. */
export function TextField({
  label,
  name,
  value,
  set,
  type = 'text',
  error = null,
  title,
  wide = false,
  ...rest
}: Props) {
  const id = useId();
  return (
    <div class={type === 'number' ? 'field narrow' : wide ? 'field address' : 'field'} title={title}>
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        // Each type has attributes of its own for the compiler, and none of them is used here.
        type={type as 'text'}
        step={type === 'number' ? 'any' : undefined}
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
        aria-invalid={error === null ? undefined : true}
        aria-describedby={error === null ? undefined : `${id}-error`}
        {...rest}
      />
      <FieldError id={`${id}-error`} error={error} />
    </div>
  );
}

/** What is wrong with a field, below it; nothing if `error` is null. */
export const FieldError = ({ id, error }: { id?: string; error: string | null }) =>
  error === null ? null : (
    <p id={id} class="failure">
      {error}
    </p>
  );
