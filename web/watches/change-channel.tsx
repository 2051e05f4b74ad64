import { useState } from 'preact/hooks';
import type { Channel, ChannelKind } from '../core/api.ts';
import type { App, Warning } from '../core/app.ts';
import { isAboutFields } from '../core/field-errors.ts';
import { useAction } from '../core/use-action.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { TextField } from '../parts/text-field.tsx';
import {
  ChannelFields,
  changedConfig,
  fieldNames,
  noKind,
  PrivateAddress,
  shownFields,
} from './channel-fields.tsx';
import { changedWords } from './test-channel.ts';

interface Props {
  app: App;
  channel: Channel;
  kind: ChannelKind;
  done: () => void;
  close: () => void;
}

/** Corrects a channel's name, address or secret: its deliveries, watches and alerts stay. */
export function ChangeChannel({ app, channel, kind, done, close }: Props) {
  // A browser's fields are filled in by itself.
  const asked = kind.kind === 'browser' ? noKind : kind;
  const [name, setName] = useState(channel.name);
  const [filled, setFilled] = useState({ fields: shownFields(asked, channel.config), secret: '' });
  const action = useAction(app);
  async function save(): Promise<string | Warning> {
    const { fields, secret } = filled;
    const config = changedConfig(asked, channel.config, fields);
    const changed = await app.api.updateChannel({
      id: channel.id,
      body: {
        name: name.trim(),
        ...(config === undefined ? {} : { config }),
        ...(secret.trim() === '' ? {} : { secret: secret.trim() }),
      },
    });
    done();
    const isSentAsBefore = config === undefined && secret.trim() === '';
    return changedWords(changed, isSentAsBefore);
  }
  return (
    <Dialog title={`Change ${channel.name}`} close={close}>
      <form
        aria-label="Channel"
        onSubmit={(event) => {
          event.preventDefault();
          void action.run(save);
        }}
      >
        <div class="fields">
          <TextField label="Name" name="changed-name" required value={name} set={setName} />
          <ChannelFields
            kind={asked}
            filled={filled}
            fill={setFilled}
            problem={action.problem}
            keepsSecret={channel.secretSet}
          />
        </div>
        <PrivateAddress kind={asked} fields={filled.fields} />
        <Failure problem={isAboutFields(action.problem, fieldNames(asked)) ? null : action.problem} />
        <p class="row">
          <button type="submit" class="primary" disabled={action.busy}>
            Save
          </button>
          <button type="button" disabled={action.busy} onClick={close}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
}
