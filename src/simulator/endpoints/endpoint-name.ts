/** Every endpoint by name: what throttling and faults go by. Section 4, and the public extensions. */
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
