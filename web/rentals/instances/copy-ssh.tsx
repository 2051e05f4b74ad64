import type { Instance } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { copyText } from '../../parts/copy-text.tsx';
import { keyOf } from './instance-rows.ts';
import { neverRuns, runsLater } from './state-words.ts';

/** Returns the command that opens a shell on an instance; null: it does not run, or its address is not known. */
export const sshCommand = ({ state, sshHost, sshPort }: Instance): string | null =>
  sshHost === null || sshPort === null || runsLater(state) || neverRuns(state)
    ? null
    : `ssh -p ${sshPort} root@${sshHost}`;

/** Returns why the command cannot be copied; null: it can. */
const sshProblem = (instance: Instance): string | null =>
  runsLater(instance.state)
    ? 'SSH when it is running'
    : neverRuns(instance.state)
      ? 'It does not run'
      : sshCommand(instance) === null
        ? 'Its address is not known yet'
        : null;

/** Copies the command that opens a shell; as long as there is none, the button says why in its place. */
export function CopySsh({ app, instance }: { app: App; instance: Instance }) {
  if (instance.endedAt !== null || instance.instanceId === null) return null;
  const command = sshCommand(instance);
  return (
    <button
      type="button"
      class="small quiet"
      disabled={command === null}
      title={sshProblem(instance) ?? command ?? undefined}
      aria-label={`Copy SSH of ${keyOf(instance)}`}
      onClick={() => {
        if (command !== null) void copyText(app, command);
      }}
    >
      Copy SSH
    </button>
  );
}
