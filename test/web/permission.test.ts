import { expect, it } from 'vitest';
import { type Permission, reasonAgainst, renting } from '../../web/core/permission.ts';

const market = { label: 'Market', types: [], currencies: ['USD'], account: true, bills: true };
const own = { role: 'operator', mode: 'live', actions: { enabled: true }, capabilities: market } as const;
const saving: Permission = { to: 'save watches' };
const creating: Permission = { to: 'create tokens', role: 'admin' };

it.each([
  ['an operator rents', own, renting, null],
  ['a viewer does not', { ...own, role: 'viewer' }, renting, 'Viewing only: ask an operator to rent.'],
  ['an operator is no admin', own, creating, 'Viewing only: ask an admin to create tokens.'],
  ['nobody rents the past', { ...own, mode: 'replay' }, renting, 'Recorded market: nothing can be rented.'],
  ['what does not touch the market stays', { ...own, mode: 'replay' }, saving, null],
  [
    'a market without an account has none to rent with',
    { ...own, capabilities: { ...market, account: false } },
    renting,
    'Offerbook does not rent at Market: rent there yourself.',
  ],
  [
    'actions that are off allow nothing on the account',
    { ...own, actions: { enabled: false } },
    renting,
    'Actions are off: set ACTIONS=on to rent.',
  ],
  ['actions that are off stop nothing else', { ...own, actions: { enabled: false } }, saving, null],
  ['an unknown status promises nothing against it', null, renting, null],
] as const)('%s', (_, status, permission, reason) => {
  expect(reasonAgainst(status, permission)).toBe(reason);
});
