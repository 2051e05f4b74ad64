import { rowsOf } from '../specification-row.ts';

/** States, transitions and their costs. Source: docs/marketplace.md#3-states. */
export const stateRows = [
  ...rowsOf(
    '3',
    {
      'state.null': 'null: the instance is being provisioned',
      'state.loading': 'loading: the container image is downloading',
      'state.running': 'running: ready to use',
      'state.exited': 'exited: the container crashed',
      'state.unknown': 'unknown: no heartbeat from the host',
      'state.offline': 'offline: the host disconnected',
    },
    ['server', 'client'],
  ),
  ...rowsOf('3', {
    'transition.create': 'a created instance begins as null',
    'transition.null-to-loading': 'null becomes loading when the image pull starts',
    'transition.loading-to-running': 'loading becomes running; booting takes 1 to 5 minutes',
    'transition.dead-stays-dead': 'exited, unknown and offline never become running',
    'transition.dead-disk-accrues': 'disk charges of a dead instance keep accruing until it is destroyed',
    'transition.stop': 'PUT with state stopped stops the instance',
    'transition.destroy': 'DELETE destroys the instance',
    'billing.running': 'billing accrues while an instance exists',
    'billing.stopped-compute': 'stopping halts compute billing',
    'billing.stopped-disk': 'disk billing continues while stopped',
    'billing.destroyed': 'destroying stops all billing',
  }),
];
