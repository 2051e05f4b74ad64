import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import type { Token } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { choosableMarkets } from '../core/market-choice.ts';
import { useAction } from '../core/use-action.ts';
import { Select, SomeOf } from '../parts/choice.tsx';
import { Failure } from '../parts/failure.tsx';
import { TextField } from '../parts/text-field.tsx';

const roles = [
  { value: 'viewer', label: 'Viewer: read only' },
  { value: 'operator', label: 'Operator: can also rent' },
  { value: 'admin', label: 'Admin: full access' },
  { value: 'feed', label: 'Feed: feeds only' },
];

interface Filled {
  name: string;
  role: Token['role'];
  label: string;
  markets: string[];
  maxUsdPerHour: string;
  maxInstances: string;
  maxRentsPerDay: string;
}

const blank: Filled = {
  name: '',
  role: 'viewer',
  label: '',
  markets: [],
  maxUsdPerHour: '',
  maxInstances: '',
  maxRentsPerDay: '',
};

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

/** Only these can be limited: an administrator could lift a limit, and a feed changes nothing. */
const limitable: readonly Token['role'][] = ['viewer', 'operator'];

/** A form that creates a token; `made` gets its secret. */
export function TokenForm({ app, made }: { app: App; made: (secret: string) => void }) {
  const [filled, setFilled] = useState(blank);
  const fill = (change: Partial<Filled>): void => setFilled({ ...filled, ...change });
  const action = useAction(app);
  const { name, role, label, markets, maxUsdPerHour, maxInstances, maxRentsPerDay } = filled;
  const isLimitable = limitable.includes(role);
  const create = async (): Promise<string> => {
    const limits = {
      label: label.trim() === '' ? null : label.trim(),
      markets: markets.length === 0 ? null : markets,
      maxUsdPerHour: numberOf(maxUsdPerHour),
      maxInstances: numberOf(maxInstances),
      maxRentsPerDay: numberOf(maxRentsPerDay),
    };
    const { token } = await app.api.createToken({ body: { name, role, ...(isLimitable ? limits : {}) } });
    made(token);
    setFilled(blank);
    return 'Token created.';
  };
  const text = (
    key: 'name' | 'label' | 'maxUsdPerHour' | 'maxInstances' | 'maxRentsPerDay',
    inputName: string,
    words: string,
    rest: Pick<ComponentProps<typeof TextField>, 'type' | 'min' | 'required'> = {},
  ) => (
    <TextField
      label={words}
      name={inputName}
      value={filled[key]}
      set={(value) => fill({ [key]: value })}
      {...rest}
    />
  );
  const choices = choosableMarkets(app.markets.value ?? []);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void action.run(create);
      }}
    >
      <div class="fields">
        {text('name', 'token-name', 'Name', { required: true })}
        <Select
          label="Role"
          name="role"
          options={roles}
          value={role}
          choose={(chosen) => fill({ role: chosen as Token['role'] })}
        />
        <button type="submit" disabled={action.busy}>
          Create token
        </button>
      </div>
      {isLimitable && (
        <details class="fold">
          <summary>Limits</summary>
          {choices.length > 0 && (
            <SomeOf
              legend="Only these markets"
              name="token-markets"
              options={choices.map((market) => ({ value: market.name, label: market.name }))}
              chosen={markets}
              choose={(chosen) => fill({ markets: chosen })}
            />
          )}
          <div class="fields">
            {text('label', 'token-label', 'Only this label')}
            {text('maxUsdPerHour', 'token-usd-per-hour', 'At most, $ per hour', { type: 'number', min: 0 })}
            {text('maxInstances', 'token-instances', 'At most, instances', { type: 'number', min: 0 })}
            {text('maxRentsPerDay', 'token-rents', 'At most, rentals in 24 hours', {
              type: 'number',
              min: 0,
            })}
          </div>
          <p class="remark">
            With a label it can rent only with it, and changes only what has it. A <a href="/spend">budget</a>{' '}
            of that label that blocks rentals is then its budget.
          </p>
        </details>
      )}
      <Failure problem={action.problem} />
    </form>
  );
}
