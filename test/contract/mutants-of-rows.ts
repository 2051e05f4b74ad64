import type { SpecificationRow } from './specification-row.ts';

/** Groups of rows whose mutants are named after them: `offer.gpu_ram` is broken by `offer-field-missing:gpu_ram`. */
const families: Readonly<Record<string, string>> = {
  offer: 'offer-field-missing:',
  instance: 'instance-field-missing:',
  template: 'template-field-unchecked:',
  'template-filter': 'template-filter-ignored:',
  'template-operator': 'template-operator-wrong:',
  volume: 'volume-missing:',
  volume_info: 'volume-info-unchecked:',
  invoice: 'invoice-field-missing:',
  state: 'status-word-other:',
  operator: 'operator-wrong:',
  filter: 'filter-ignored:',
  'search.type': 'search-type-refused:',
  'invoices.when': 'invoices-filter-ignored:when.',
  'invoices.service': 'invoices-filter-ignored:service.',
  'invoices.service-value': 'invoice-service-refused:',
};

/** The mutants of all other rows, assigned by hand. */
const single: Readonly<Record<string, string>> = {
  'instance.id': 'instance-id-not-the-contract',
  'template.id': 'create-template-answer-mistyped:template.id',
  'template.hash_id': 'create-template-answer-mistyped:template.hash_id',
  'template.hash_id-changes': 'template-hash-kept-on-edit',
  'transition.create': 'instance-field-mistyped:actual_status',
  'transition.null-to-loading': 'boot-under-a-minute',
  'transition.loading-to-running': 'boot-over-five-minutes',
  'transition.dead-stays-dead': 'failed-instance-runs-again',
  'transition.dead-disk-accrues': 'failed-instance-disk-free',
  'transition.stop': 'stop-without-effect',
  'transition.destroy': 'destroyed-instance-still-listed',
  'billing.running': 'running-instance-free',
  'billing.stopped-compute': 'stop-keeps-compute-billing',
  'billing.stopped-disk': 'stop-halts-disk-billing',
  'billing.destroyed': 'destroy-keeps-billing',
  'volume-create.endpoint': 'create-volume-answer-mistyped:success',
  'volume-create.id': 'volume-id-optional',
  'volume-create.size': 'volume-size-ignored',
  'volume-create.success': 'create-volume-answer-missing:success',
  'create.endpoint': 'create-method-refused:PUT',
  'create.image': 'create-image-ignored',
  'create.disk': 'create-disk-ignored',
  'create.onstart': 'create-onstart-ignored',
  'create.template_hash_id': 'create-template-ignored',
  'create.env': 'create-env-unchecked',
  'create.env-ports': 'create-env-ports-lost',
  'create.volume_info': 'volume-info-create-new-turned',
  'create.runtype': 'create-runtype-unchecked',
  'create.new_contract': 'create-instance-answer-missing:new_contract',
  'create.post': 'create-method-refused:POST',
  'create.extra_filters': 'create-extra-filters-request-lost',
  'create.success': 'create-instance-answer-missing:success',
  'create.instance_api_key': 'create-instance-answer-missing:instance_api_key',
  'create.image-overrides': 'create-template-image-wins',
  'precedence.scalar': 'create-template-scalar-wins',
  'precedence.template-kept': 'create-template-scalar-lost',
  'precedence.env-template': 'create-env-template-lost',
  'precedence.env-added': 'create-env-request-lost',
  'precedence.env-request-wins': 'create-env-template-wins',
  'precedence.env-converted': 'create-env-unconverted',
  'precedence.extra_filters': 'create-extra-filters-template-wins',
  'precedence.volume_info': 'create-template-volume-attached',
  'precedence.ssh-keys-vm': 'create-vm-key-unchecked',
  'precedence.ssh-keys-container': 'create-container-key-needed',
  'list.endpoint': 'list-instances-answer-mistyped:instances',
  'list.instances': 'list-instances-answer-missing:instances',
  'list.empty': 'list-empty-is-null',
  'list.instances_found': 'list-instances-answer-missing:instances_found',
  'get.endpoint': 'get-instance-answer-missing:instances',
  'stop.endpoint': 'change-instance-answer-mistyped:success',
  'stop.success': 'change-instance-answer-missing:success',
  'start.state-running': 'start-without-effect',
  'destroy.endpoint': 'destroy-without-effect',
  'destroy.success': 'destroy-instance-answer-missing:success',
  'search.endpoint': 'slashless-refused',
  'search.limit': 'search-limit-ignored',
  'search.order': 'search-order-ignored',
  'search.offers-array': 'search-answer-mistyped:offers',
  'search.trailing-slash': 'trailing-slash-refused',
  'search.type.default': 'search-type-default-other',
  'search.order.asc': 'search-order-asc-turned',
  'search.order.desc': 'search-order-direction-ignored',
  'search.order.second-key': 'search-order-second-key-ignored',
  'search.storage': 'search-storage-ignored',
  'search.storage-default': 'search-storage-default-other',
  'filter.cpu_arch-default': 'search-cpu-arch-unfiltered',
  'filter.os_version-alias': 'filter-ignored:ubuntu_version',
  'template-search.endpoint': 'search-templates-answer-mistyped:templates',
  'template-search.select_filters': 'template-selection-ignored',
  'template-search.templates': 'search-templates-answer-missing:templates',
  'template-search.trailing-slash': 'trailing-slash-refused',
  'template-search.columns': 'template-columns-ignored',
  'template-search.all-columns': 'template-star-ignored',
  'template-search.order': 'template-order-ignored',
  'template-search.public': 'template-search-own-only',
  'template-search.own': 'template-search-public-only',
  'template-search.private-hidden': 'template-search-shows-private',
  'template-search.success': 'search-templates-answer-missing:success',
  'template-search.templates_found': 'templates-found-wrong',
  'template-create.endpoint': 'create-template-answer-missing:template',
  'template-create.id': 'create-template-answer-missing:template.id',
  'template-create.hash_id': 'create-template-answer-missing:template.hash_id',
  'template-edit.endpoint': 'edit-template-answer-missing:template',
  'template-edit.new-hash': 'template-edit-answers-old-hash',
  'template-edit.hash_id-required': 'template-edit-hash-optional',
  'template-edit.unspecified-kept': 'template-edit-forgets-the-rest',
  'template-edit.given-changed': 'template-edit-without-effect',
  'template-edit.old-hash-void': 'template-edit-keeps-the-old',
  'template-delete.endpoint': 'delete-template-answer-mistyped:success',
  'template-delete.success': 'delete-template-answer-missing:success',
  'template-delete.numeric': 'template-delete-by-hash',
  'template-delete.gone': 'template-delete-without-effect',
  'invoices.endpoint': 'list-invoices-answer-mistyped:results',
  'invoices.limit': 'invoices-limit-ignored',
  'invoices.next_token': 'invoices-next-token-always',
  'invoices.token-pages': 'invoices-token-ignored',
  'invoices.count': 'invoices-count-wrong',
  'invoices.total': 'invoices-total-wrong',
  'invoices.results': 'list-invoices-answer-missing:results',
  'invoices.order.paid_on': 'invoices-sort-ignored:paid_on',
  'invoices.order.amount_cents': 'invoices-sort-ignored:amount_cents',
  'invoices.order.when': 'invoices-sort-ignored:when',
  'invoices.order.asc': 'invoices-sort-direction-ignored',
  'invoices.order.desc': 'invoices-sort-desc-turned',
  'invoices.order.default-desc': 'invoices-sort-ascending-default',
  'invoices.newest-first': 'invoices-oldest-first-default',
  'invoices.oldest-first': 'invoices-latest-first-ignored',
  'invoices.order-wins': 'invoices-latest-first-wins',
  'invoices.success': 'list-invoices-answer-missing:success',
  'invoices.payments-only': 'invoices-hold-charges',
  'key.scoped': 'permissions-not-checked',
  'key.scoped-right': 'scoped-keys-refused',
  'key.instance-own': 'instance-key-may-not-stop',
  'key.instance-other': 'instance-key-reaches-others',
  'key.container-env': 'container-key-not-injected',
  'key.instance-nothing-else': 'instance-key-may-everything',
  'error.search-json': 'search-malformed-accepted',
  'error.wrong-key': 'wrong-key-answer-missing:msg',
  'error.template-search': 'template-error-missing:success',
  'error.template-search-second': 'template-search-unknown-field-ignored',
  'error.too-many': 'throttle-detail-missing',
  'error.invoices-when': 'invoices-when-optional',
  'error.template_id': 'create-template-id-accepted',
  'error.dead-instance': 'failed-instance-is-an-error',
  'limit.onstart': 'create-onstart-unlimited',
  'limit.template-onstart': 'template-onstart-unlimited',
  'limit.invoices-page': 'invoices-limit-zero-accepted',
  'limit.disk-default': 'create-disk-default-other',
  'limit.volume-size-default': 'volume-size-default-other',
  'limit.recommended-disk-default': 'template-default-other:recommended_disk_space',
  'limit.threshold': 'throttle-threshold-other',
  'version.v0-instances': 'under-v1:instances',
  'version.v0-offers': 'under-v1:offers',
  'version.v0-templates': 'under-v1:templates',
  'version.v0-volumes': 'under-v1:volumes',
  'version.v1-invoices': 'invoices-under-v0',
};

/** Groups that a single mutant breaks, because they state one rule for every endpoint. */
const groups: Readonly<Record<string, string>> = {
  bearer: 'key-not-needed',
  'wrong-key': 'wrong-key-message-other',
};

/** Mutants that may be named by several rows. Reviewed: a new one needs a reason. */
const sharedMutants: ReadonlySet<string> = new Set([...Object.values(groups), 'trailing-slash-refused']);

/** Rows that no market can break, because they concern the caller's own code. */
const ownCode: ReadonlySet<string> = new Set(['event.start-script']);

/** Returns the mutant that breaks the market's part of a row, or null if none is named. */
export function mutantOfRow(row: string): string | null {
  const own = single[row];
  if (own !== undefined) return own;
  const prefixes = [...row.matchAll(/\./g)].map(({ index }) => row.slice(0, index)).reverse();
  for (const prefix of prefixes) {
    const [family, group] = [families[prefix], groups[prefix]];
    if (family !== undefined) return family + row.slice(prefix.length + 1);
    if (group !== undefined) return group;
  }
  return null;
}

/** Whether the market has a part in the row that a mutant can break. */
export const isBreakable = ({ id, sides }: SpecificationRow): boolean =>
  sides.includes('server') && !ownCode.has(id);

/** Returns the mismatches of rows and mutants, one sentence each: rows without a mutant, mutants of several rows, unknown ones. */
export function findUnbroken(rows: readonly SpecificationRow[], mutants: ReadonlySet<string>): string[] {
  const named = rows.filter(isBreakable).map(({ id }) => ({ id, mutant: mutantOfRow(id) }));
  const known = new Set(rows.map(({ id }) => id));
  return [
    ...named.flatMap(({ id, mutant }) => {
      if (mutant === null) return [`row ${id} has no mutant`];
      return mutants.has(mutant) ? [] : [`row ${id} names ${mutant}, which is no mutant`];
    }),
    ...[...Map.groupBy(named, ({ mutant }) => mutant)].flatMap(([mutant, sharing]) =>
      mutant === null || sharing.length === 1 || sharedMutants.has(mutant)
        ? []
        : [`${mutant} is named by ${sharing.map(({ id }) => id).join(' and ')}`],
    ),
    ...[...Object.keys(single), ...ownCode].filter((id) => !known.has(id)).map((id) => `${id} is no row`),
  ];
}
