import { type Mutant, mutantsOf, rowsOfEach } from './mutant.ts';

const computes = "const computes = (phase: LifePhase) => phase === 'running';";
const stores = "phase !== 'destroyed' && (phase !== 'offline' || rules.storageWhileOffline);";
const boots = 'return Math.round(shortest + (longest - shortest) * chance(p.boot, instance.id));';
const needsKey = 'offer.vms_enabled === true && !rules.sshKeyRegistered';
const shownPhase = "if (phase === 'created') return null;\n  return phase === 'outbid' ? 'stopped' : phase;";
const read = 'const instance = find(request);';

/** Mutants of how instances live, are billed and are shown. */
export const instanceMutants: readonly Mutant[] = [
  ...mutantsOf('account/meters.ts', [
    [
      'running-instance-free',
      '1',
      'a running instance is not billed for its GPUs',
      computes,
      'const computes = (_phase: LifePhase) => false;',
    ],
    [
      'stop-keeps-compute-billing',
      '1',
      'a stopped instance is billed for its GPUs',
      computes,
      "const computes = (phase: LifePhase) => phase === 'running' || phase === 'stopped';",
    ],
    [
      'stop-halts-disk-billing',
      '1',
      'a stopped instance is not billed for its disk',
      stores,
      `phase !== 'stopped' && ${stores}`,
    ],
    [
      'failed-instance-disk-free',
      '3',
      'an exited, unknown or offline instance is not billed for its disk',
      stores,
      "!['destroyed', 'exited', 'unknown', 'offline'].includes(phase);",
    ],
  ]),
  {
    id: 'destroy-keeps-billing',
    section: '1',
    breaks: 'a destroyed instance is billed for its disk',
    patches: [
      { file: 'account/meters.ts', from: stores, to: stores.replace("phase !== 'destroyed' && ", '') },
      { file: 'account/charges.ts', from: 'endS: destroyedAtS(instance),', to: 'endS: null,' },
    ],
  },
  ...mutantsOf('account/life.ts', [
    ['boot-under-a-minute', '3', 'an instance runs after 20 seconds', boots, `return 20; ${boots}`],
    ['boot-over-five-minutes', '3', 'an instance runs after 15 minutes only', boots, `return 900; ${boots}`],
  ]),
  {
    id: 'failed-instance-runs-again',
    section: '3',
    breaks: 'an exited, unknown or offline instance comes to run',
    patches: [
      {
        file: 'account/life.ts',
        from: "to('running', wonS);\n  }\n",
        to: "to('running', wonS);\n  }\n  if (hasFailed(phase)) return to('running', fromS + 10 * minuteS);\n",
      },
      {
        file: 'account/instances.ts',
        from: "if (lastStep(instance).phase === 'stopped')",
        to: "if (lastStep(instance).phase === 'stopped' || hasFailed(lastStep(instance).phase))",
      },
    ],
  },
  ...mutantsOf('account/instance-record.ts', [
    [
      'instance-id-not-the-contract',
      '2.2',
      'the id of an instance is not the new_contract of its creation',
      '...offer,\n    id,',
      '...offer,\n    id: id + 1,',
    ],
    [
      'status-word-other:null',
      '3',
      'actual_status has another word for null',
      "if (phase === 'created') return null;",
      "if (phase === 'created') return 'created';",
    ],
    ...rowsOfEach(['loading', 'running', 'exited', 'unknown', 'offline'], (name) => [
      'status-word-other',
      '3',
      `actual_status has another word for ${name}`,
      shownPhase,
      `if (phase === '${name}') return '${name.toUpperCase()}'; ${shownPhase}`,
    ]),
  ]),
  ...mutantsOf('account/instances.ts', [
    [
      'create-vm-key-unchecked',
      '4.3',
      'a VM is created without an SSH key (rule 5)',
      needsKey,
      `false && ${needsKey}`,
    ],
    [
      'create-container-key-needed',
      '4.3',
      'a container is not created without an SSH key (rule 5)',
      needsKey,
      '!rules.sshKeyRegistered',
    ],
    [
      'stop-without-effect',
      '4.6',
      'a stop answers success and does nothing',
      "instance.intended = 'stopped';",
      'if (instance) return;',
    ],
    [
      'start-without-effect',
      '4.6',
      'a start answers success and does nothing',
      "instance.intended = 'running';",
      'if (instance) return;',
    ],
    [
      'destroy-without-effect',
      '4.7',
      'a destroy answers success and does nothing',
      "push(instance, 'destroyed', atS);",
      '',
    ],
  ]),
  ...mutantsOf('endpoints/instances.ts', [
    [
      'destroyed-instance-still-listed',
      '3',
      'a destroyed instance stays in the list',
      'gone !== null && gone <= atS',
      'false',
    ],
    [
      'list-empty-is-null',
      '4.4',
      'the list of no instances is null',
      'instances: kept });',
      'instances: kept.length === 0 ? null : kept });',
    ],
    [
      'failed-instance-is-an-error',
      '7',
      'an exited, unknown or offline instance is answered with 410',
      read,
      `${read}
        const { phase } = lastStep(instance);
        if (['exited', 'unknown', 'offline'].includes(phase)) {
          throw new Refusal(410, 'instance_failed', \`the instance is \${phase}\`);
        }`,
    ],
  ]),
];
