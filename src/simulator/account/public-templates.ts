import { createHash } from 'node:crypto';
import type { TemplateState } from './account-state.ts';
import { templateFieldNames, templateFields } from './template-fields.ts';

const creatorId = 1;
const createdS = Date.UTC(2025, 0, 15) / 1000;

const shared = [
  {
    name: 'PyTorch',
    image: 'pytorch/pytorch',
    tag: '2.9.0-cuda12.8-cudnn9-runtime',
    env: '-e DATA_DIRECTORY=/workspace/ -p 8080:8080',
    onstart: 'env >> /etc/environment',
    runtype: 'jupyter',
    jup_direct: true,
    use_jupyter_lab: true,
    recommended_disk_space: 32,
  },
  {
    name: 'Ubuntu with SSH',
    image: 'ubuntu',
    tag: '24.04',
    runtype: 'ssh',
    use_ssh: true,
    ssh_direct: true,
    recommended_disk_space: 16,
  },
  {
    name: 'Text generation server',
    image: 'vllm/vllm-openai',
    env: '-e HF_HUB_ENABLE_HF_TRANSFER=1 -p 8000:8000',
    args_str: '--model small-model --port 8000',
    recommended_disk_space: 64,
    extra_filters: { gpu_total_ram: { gte: 24_000 } },
  },
];

/** Templates that everyone finds and no one can change. */
export const publicTemplates: readonly TemplateState[] = shared.map((given, index) => {
  const defaults = templateFieldNames.map((name) => {
    const field = templateFields[name];
    const login = name.startsWith('docker_login_');
    return [name, login ? '' : 'default' in field ? field.default : null];
  });
  const fields: Record<string, unknown> = { ...Object.fromEntries(defaults), ...given };
  return {
    id: 900_001 + index,
    hashId: createHash('sha256').update(JSON.stringify(fields)).digest('hex').slice(0, 32),
    creatorId,
    revision: 0,
    createdS: createdS + index,
    countCreated: 4000 - 1000 * index,
    recentCreateS: createdS + 86_400 * (index + 1),
    recommended: true,
    fields,
  };
});
