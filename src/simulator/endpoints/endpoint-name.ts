/** Every endpoint by name, public extensions too: what throttling and faults go by. Source: docs/marketplace.md#4-endpoints. */
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
