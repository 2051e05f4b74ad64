import type { TokenPage } from '../../bills.ts';
import { knownStatuses } from '../../instance-status.ts';
import { type Examination, tryOut } from './finding.ts';

const yearMs = 365 * 86_400_000;

/** Examines instances, templates, invoices, and the dialect's extensions. */
export async function examineAccount(exam: Examination): Promise<void> {
  await examineInstances(exam);
  await examineTemplates(exam);
  await examineInvoices(exam);
  await examineCharges(exam);
  await examineVolumes(exam);
}

async function examineInstances(exam: Examination): Promise<void> {
  const { client, signal, note } = exam;
  const subject = 'instances';
  const list = await tryOut(exam, subject, 'the instance list', () => client.listInstances({ signal }));
  if (list === null) return;
  const { instances, rejected, found } = list;
  const measured = { instances: instances.length, rejected: rejected.length, found };
  const known: readonly string[] = knownStatuses;
  const unknown = instances.flatMap(({ actualStatus }) =>
    actualStatus === null || known.includes(actualStatus) ? [] : [actualStatus],
  );
  const problems = [
    rejected.length === 0 ? null : `${rejected.length} instances are listed without an id that can be read`,
    found === null || found === instances.length + rejected.length
      ? null
      : `the list holds ${instances.length + rejected.length} instances and counts ${found}`,
    unknown.length === 0
      ? null
      : `Offerbook does not know these statuses: ${[...new Set(unknown)].join(', ')}`,
  ].filter((problem) => problem !== null);
  const [instance] = instances;
  note({
    subject,
    status: problems.length === 0 ? 'ok' : 'warning',
    message: problems.length === 0 ? `the instance list answered: ${instances.length}` : problems.join('; '),
    measured,
  });
  if (instance === undefined) return;
  const { instanceId } = instance;
  const one = await tryOut(exam, subject, 'one instance', () => client.getInstance(instanceId, { signal }));
  if (one !== null) note({ subject, status: 'ok', message: 'one instance answered' });
}

async function examineTemplates(exam: Examination): Promise<void> {
  const { client, signal, note } = exam;
  const subject = 'templates';
  const what = 'the template search';
  const list = await tryOut(exam, subject, what, () => client.searchTemplates({}, { signal }));
  if (list === null) return;
  const withoutHash = list.templates.filter(({ hashId }) => hashId === null).length;
  const measured = { templates: list.templates.length, rejected: list.rejected.length, withoutHash };
  const message =
    withoutHash === 0
      ? `the template search answered: ${list.templates.length}`
      : `${withoutHash} templates have no hash_id, which is needed to create instances from them`;
  note({ subject, status: withoutHash === 0 ? 'ok' : 'warning', message, measured });
  await tryOut(exam, subject, 'templates in order', () =>
    client.searchTemplates({ orderBy: 'id', columns: ['id'] }, { signal }),
  );
}

async function examineInvoices(exam: Examination): Promise<void> {
  const { client, signal, dialect } = exam;
  const to = exam.now();
  const range = { from: new Date(to.getTime() - 5 * yearMs), to };
  await examinePages(exam, 'invoices', {
    asked: dialect.invoices.pageLimit,
    setting: 'invoices.tokenParameter',
    read: (limit, token) => client.readInvoicePage({ ...range, limit }, token, { signal }),
  });
}

async function examineCharges(exam: Examination): Promise<void> {
  const { client, signal, dialect, note } = exam;
  const { charges } = client.extensions;
  if (charges === null) {
    note({ subject: 'charges', status: 'off', message: 'charges are switched off (extensions.charges)' });
    return;
  }
  const to = exam.now();
  const range = { from: new Date(to.getTime() - yearMs), to };
  await examinePages(exam, 'charges', {
    asked: dialect.charges.pageLimit,
    setting: 'charges.tokenParameter',
    read: (limit, token) => charges.readChargePage({ ...range, limit }, token, { signal }),
  });
}

interface Pages {
  asked: number;
  setting: string;
  read: (limit: number, token: string | null) => Promise<TokenPage<{ raw: string }>>;
}

async function examinePages(
  exam: Examination,
  subject: 'invoices' | 'charges',
  { asked, setting, read }: Pages,
): Promise<void> {
  const { note, seen } = exam;
  const page = await tryOut(exam, subject, subject, () => read(asked, null));
  if (page === null) return;
  seen.throttles += page.throttles;
  const { rows, total, nextToken, rejected } = page;
  const pageSize = nextToken === null ? null : rows;
  const measured = { rows, total, pageSize, rejected: rejected.length };
  const size = pageSize === null ? `${rows} in one page` : `pages of ${pageSize}, ${asked} requested`;
  note({ subject, status: 'ok', message: `${subject} answered: ${size}`, measured });
  if (rejected.length > 0) {
    const message = `${rejected.length} of ${rows} ${subject} cannot be read (${rejected[0]?.reason})`;
    note({ subject, status: 'warning', message, measured });
  }
  if (rows < 2) {
    const message = `too few ${subject} to see whether ${setting} is right`;
    note({ subject, status: 'unknown', message });
    return;
  }
  await examineToken(exam, subject, { asked, setting, read });
}

/** Requests pages of one entry; the second page must have another entry than the first. */
async function examineToken(
  exam: Examination,
  subject: 'invoices' | 'charges',
  { setting, read }: Pages,
): Promise<void> {
  const { note } = exam;
  const first = await tryOut(exam, subject, `${subject}, one per page`, () => read(1, null));
  if (first === null) return;
  const { nextToken } = first;
  if (nextToken === null) {
    const message = `${subject}, one per page, came without a token: the limit is ignored`;
    note({ subject, status: 'warning', message, measured: { rows: first.rows } });
    return;
  }
  const second = await tryOut(exam, subject, `${subject}, second page`, () => read(1, nextToken));
  if (second === null) return;
  const works = second.entries[0] !== undefined && second.entries[0].raw !== first.entries[0]?.raw;
  const message = works
    ? `${subject} page by their token`
    : `the second page of ${subject} repeats the first: ${setting} is not this market's name for the token`;
  note({ subject, status: works ? 'ok' : 'warning', message, measured: { pages: works } });
}

async function examineVolumes(exam: Examination): Promise<void> {
  const { client, signal, note } = exam;
  const { volumes } = client.extensions;
  const subject = 'volumes';
  if (volumes === null) {
    note({ subject, status: 'off', message: 'volumes are switched off (extensions.volumes)' });
    return;
  }
  const what = 'the volume search';
  const found = await tryOut(exam, subject, what, () => volumes.searchVolumeOffers({}, { signal }));
  const list = await tryOut(exam, subject, 'the volume list', () => volumes.listVolumes({ signal }));
  if (found === null || list === null) return;
  const measured = { offers: found.offers.length, volumes: list.volumes.length };
  const message = `volumes answered: ${measured.offers} offers, ${measured.volumes} volumes of the account`;
  note({ subject, status: 'ok', message, measured });
}
