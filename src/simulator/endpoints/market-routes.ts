import type { Account, AccountRules } from '../account/account.ts';
import type { OfferSource } from '../offer-source.ts';
import { chargeRoutes } from './charges.ts';
import { createInstanceRoutes } from './create-instance.ts';
import type { Route } from './endpoint.ts';
import { instanceRoutes } from './instances.ts';
import { invoiceRoutes } from './invoices.ts';
import { searchRoute } from './search-offers.ts';
import { templateRoutes } from './templates.ts';
import { volumeRoutes } from './volumes.ts';

/** Every endpoint of a market. `secret` signs page tokens, `cap` limits search responses. */
export function marketRoutes(options: {
  source: OfferSource;
  account: Account;
  rules: AccountRules;
  cap: number;
  secret: string;
  /** Address where instances accept SSH connections; null: none. */
  sshPort: () => number | null;
}): Route[] {
  const { source, account, rules, cap, secret, sshPort } = options;
  const ssh = () => ({ host: '127.0.0.1', port: sshPort() });
  return [
    searchRoute(source, cap),
    ...createInstanceRoutes(account, source),
    ...instanceRoutes(account, { chance: rules.chance, ssh }),
    ...templateRoutes(account),
    ...volumeRoutes(account, cap),
    ...invoiceRoutes(account, secret),
    ...chargeRoutes(account, secret),
  ];
}
