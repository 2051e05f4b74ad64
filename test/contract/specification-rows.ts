import { crossCuttingRows } from './rows/cross-cutting.ts';
import { instanceEndpointRows } from './rows/instance-endpoints.ts';
import { invoiceListRows } from './rows/invoice-list.ts';
import { offerFieldRows } from './rows/offer-fields.ts';
import { offerSearchRows } from './rows/offer-search.ts';
import { resourceRows } from './rows/resources.ts';
import { stateRows } from './rows/states.ts';
import { templateEndpointRows } from './rows/template-endpoints.ts';
import type { SpecificationRow } from './specification-row.ts';

/** Every row of the interface except its purpose, maintained by hand, in the order of docs/marketplace.md. */
export const specificationRows: readonly SpecificationRow[] = [
  ...offerFieldRows,
  ...resourceRows,
  ...stateRows,
  ...instanceEndpointRows,
  ...offerSearchRows,
  ...templateEndpointRows,
  ...invoiceListRows,
  ...crossCuttingRows,
];
