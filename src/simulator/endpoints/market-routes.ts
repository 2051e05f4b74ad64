import type { Account, AccountRules } from '../account/account.ts';
import { versionedPaths } from '../mutants/parameter-mutants.ts';
import type { OfferSource } from '../offer-source.ts';
import { chargeRoutes } from './charges.ts';
import { createInstanceRoutes } from './create-instance.ts';
import type { Route } from './endpoint.ts';
import { instanceRoutes } from './instances.ts';
import { invoiceRoutes } from './invoices.ts';
import { searchRoute } from './search-offers.ts';
import { templateRoutes } from './templates.ts';
import { volumeRoutes } from './volumes.ts';

/** Every endpoint of a market. `secret` signs page tokens, `cap` cuts searches. */
export function marketRoutes(options: {
  source: OfferSource;
  account: Account;
  rules: AccountRules;
  cap: number;
  secret: string;
  /** Where instances accept SSH connections; null: nowhere. */
  sshPort: () => number | null;
}): Route[] {
  const { source, account, rules, cap, secret, sshPort } = options;
  const { mutants, chance } = rules;
  const ssh = () => ({ host: '127.0.0.1', port: sshPort() });
  const routes = [
    searchRoute(source, cap, mutants),
    ...createInstanceRoutes(account, source, mutants),
    ...instanceRoutes(account, { chance, ssh, mutants }),
    ...templateRoutes(account, mutants),
    ...volumeRoutes(account, cap, mutants),
    ...invoiceRoutes(account, secret, mutants),
    ...chargeRoutes(account, secret),
  ];
  const moved = Object.entries(versionedPaths).flatMap(([name, parts]) =>
    mutants.has(`under-v1:${name}`) ? parts : [],
  );
  if (moved.length === 0) return routes;
  const movedPath = new RegExp(`^/api/v0/(?=(?:${moved.join('|')})(?:/|$))`);
  return routes.map((route) => ({ ...route, path: route.path.replace(movedPath, '/api/v1/') }));
}
