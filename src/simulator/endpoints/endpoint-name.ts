/**
 * Every endpoint by name, public extensions too: the unit of rate limits and faults.
 * Source: docs/marketplace.md#4-endpoints.
 */
const endpointNames = [
  'searchOffers',
  'createInstance',
  'listInstances',
  'getInstance',
  'changeInstance',
  'destroyInstance',
  'changeBid',
  'searchTemplates',
  'createTemplate',
  'editTemplate',
  'deleteTemplate',
  'createVolume',
  'searchVolumes',
  'listVolumes',
  'deleteVolume',
  'listInvoices',
  'listCharges',
] as const;
export type EndpointName = (typeof endpointNames)[number];
