import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Document, follows } from '../docs/document.js';
import { makeCertificates } from '../support/certificates.js';
import {
  helm,
  installKubernetesTools,
  type Manifest,
  parseManifests,
  problemsOf,
  withKubernetesTools,
} from './programs/kubernetes-tools.js';

follows('docs/how-to/kubernetes.md', 'secrets', 'helm', 'manifest');

const CHART = 'deploy/helm';
const PLAIN = 'deploy/kubernetes/guildhall.yaml';
const BASE_URL = ['--set', 'baseUrl=https://code.example.com'];

/** Sets everything that the default leaves out. */
const ALL_VALUES = {
  image: { repository: 'registry.example.com/guildhall', tag: '1.2.3', pullPolicy: 'Always' },
  imagePullSecrets: [{ name: 'registry' }],
  env: { SMTP_CONNECTIONS: 8, MAX_PUSH_BYTES: 1_000_000 },
  envFrom: [{ secretRef: { name: 'traces' } }],
  persistence: { storageClass: 'nfs' },
  storages: { fast: { weight: 100, existingClaim: 'guildhall-fast' } },
  web: {
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ key: 'web', operator: 'Exists' }],
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 1,
            podAffinityTerm: {
              topologyKey: 'kubernetes.io/hostname',
              labelSelector: { matchLabels: { 'app.kubernetes.io/component': 'web' } },
            },
          },
        ],
      },
    },
    podAnnotations: { 'prometheus.io/scrape': 'true' },
  },
  autoscaling: { requestsInFlight: 20 },
  ingress: { className: 'nginx' },
};

beforeAll(() => installKubernetesTools(), 300_000);

interface PodTemplate {
  spec: {
    terminationGracePeriodSeconds?: number;
    containers: ({ env?: { name: string; value: string }[] } & Record<string, unknown>)[];
  };
}

async function render(...options: string[]): Promise<Manifest[]> {
  const { code, stdout, stderr } = await helm('template', 'guildhall', CHART, ...options);
  if (code !== 0) throw new Error(stderr);
  return parseManifests(stdout);
}

function withAllValues(): Promise<Manifest[]> {
  return render(
    ...BASE_URL,
    ...Object.entries(ALL_VALUES).flatMap(([name, value]) => [
      '--set-json',
      `${name}=${JSON.stringify(value)}`,
    ]),
  );
}

function podOf(manifests: readonly Manifest[], kind: string, name: string): PodTemplate['spec'] {
  const found = manifests.find((one) => one.kind === kind && one.metadata.name === name);
  if (found === undefined) throw new Error(`There is no ${kind} ${name}`);
  return (found.spec as { template: PodTemplate }).template.spec;
}

/** The parts of a container that both ways to deploy must have alike. */
function essence({ containers }: PodTemplate['spec']): Record<string, unknown> {
  const [container = {}] = containers;
  const names = ['args', 'ports', 'lifecycle', 'resources', 'securityContext'];
  const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'];
  return Object.fromEntries([...names, ...probes].map((name) => [name, container[name]]));
}

describe('the manifests for Kubernetes', () => {
  it('have no field that Kubernetes refuses or does not know', async () => {
    const plain = await parseManifests(await readFile(PLAIN, 'utf8'));
    const charts = [await render(...BASE_URL), await withAllValues()];
    for (const manifests of [plain, ...charts]) {
      expect(manifests.length).toBeGreaterThan(7);
      expect(await problemsOf(manifests)).toEqual([]);
    }
    const [broken] = structuredClone(plain.filter(({ kind }) => kind === 'Deployment'));
    Object.assign(broken?.spec as object, { replicaz: 1 });
    expect(await problemsOf(broken === undefined ? [] : [broken])).toEqual([
      expect.stringContaining('\'"replicaz"\' does not exist'),
    ]);
  }, 120_000);

  it('start the same containers by hand and by Helm', async () => {
    const plain = await parseManifests(await readFile(PLAIN, 'utf8'));
    const chart = await render(...BASE_URL);
    for (const role of ['web', 'worker']) {
      const pods = [plain, chart].map((one) => podOf(one, 'Deployment', `guildhall-${role}`));
      const [byHand, byHelm] = pods as [PodTemplate['spec'], PodTemplate['spec']];
      expect(essence(byHelm)).toEqual(essence(byHand));
      expect(byHelm.terminationGracePeriodSeconds).toBe(byHand.terminationGracePeriodSeconds);
    }
    const config = plain.find(({ kind }) => kind === 'ConfigMap') as Manifest & {
      data: Record<string, string>;
    };
    const [web] = podOf(chart, 'Deployment', 'guildhall-web').containers;
    const env = Object.fromEntries((web?.env ?? []).map(({ name, value }) => [name, value]));
    expect(env).toEqual(config.data);
  });
});

describe('the chart', () => {
  it('passes the checks of Helm', async () => {
    const { code, stdout } = await helm('lint', '--strict', CHART, ...BASE_URL);
    expect([code, stdout]).toEqual([0, expect.stringContaining('0 chart(s) failed')]);
  });

  it('passes large numbers as they are', async () => {
    const [web] = podOf(await withAllValues(), 'Deployment', 'guildhall-web').containers;
    expect(web?.env).toContainEqual({ name: 'MAX_PUSH_BYTES', value: '1000000' });
  });

  it('migrates beside the first installation, and before an upgrade', async () => {
    const job = async (...options: string[]): Promise<Manifest | undefined> =>
      (await render(...BASE_URL, ...options)).find(({ kind }) => kind === 'Job');
    expect((await job())?.metadata).toMatchObject({ name: 'guildhall-setup' });
    expect((await job())?.metadata.annotations).toBeUndefined();
    expect((await job('--is-upgrade'))?.metadata).toMatchObject({
      name: 'guildhall-migrate',
      annotations: { 'helm.sh/hook': 'pre-upgrade' },
    });
  });

  it('keeps the repositories when it is uninstalled', async () => {
    const claims = (await render(...BASE_URL)).filter(
      ({ kind }) => kind === 'PersistentVolumeClaim',
    );
    expect(claims.map(({ metadata }) => metadata.annotations)).toEqual([
      { 'helm.sh/resource-policy': 'keep' },
    ]);
    const existing = ['--set', 'persistence.existingClaim=mine'];
    const others = await render(...BASE_URL, ...existing);
    expect(others.map(({ kind }) => kind)).not.toContain('PersistentVolumeClaim');
  });

  it.each([
    ['without an address', []],
    ['with a path in the address', ['--set', 'baseUrl=https://example.com/code']],
    ['with an unknown value', [...BASE_URL, '--set', 'web.replica=3']],
    ['with a variable that is a list', [...BASE_URL, '--set-json', 'env.MAIL_FROM=[]']],
    ['with a name that no volume can have', [...BASE_URL, '--set', 'storages.Fast_1.weight=1']],
    ['with a storage without a weight', [...BASE_URL, '--set', 'storages.fast.path=/srv']],
  ])('is refused %s', async (_, options) => {
    expect((await helm('template', 'guildhall', CHART, ...options)).code).toBe(1);
  });
});

describe('the guide, without a cluster', () => {
  const guide = new Document('docs/how-to/kubernetes.md');

  it('makes the Secrets that chart and manifest use', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'guildhall-secrets-'));
    try {
      const keys = ['database_url', 'metrics_token', 'redis_url', 'secret_key'];
      for (const key of keys) await writeFile(join(folder, key), key);
      makeCertificates(folder);
      const tls = 'cp own.crt tls.crt; cp own.key tls.key';
      const kubectl = 'kubectl() { command kubectl "$@" --dry-run=client -o yaml; echo ---; }';
      const script = `${tls}\n${kubectl}\n${guide.named('secrets')}`;
      const { code, stdout, stderr } = await withKubernetesTools(script, folder);
      expect([code, stderr]).toEqual([0, '']);
      const [namespace, secret, certificate] = await parseManifests(stdout);
      expect(namespace).toMatchObject({ kind: 'Namespace', metadata: { name: 'guildhall' } });
      expect(secret).toMatchObject({ metadata: { name: 'guildhall', namespace: 'guildhall' } });
      expect(Object.keys((secret as { data: object } & Manifest).data).sort()).toEqual(keys);
      expect(certificate).toMatchObject({ type: 'kubernetes.io/tls' });
      const texts = [await readFile(PLAIN, 'utf8'), JSON.stringify(await render(...BASE_URL))];
      for (const text of texts) {
        for (const key of keys) expect(text).toContain(`/run/secrets/guildhall/${key}`);
        expect(text).toMatch(/"?secretName"?: ?"?guildhall\b/);
        expect(text).toMatch(/"?secretName"?: ?"?guildhall-tls\b/);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('installs the chart, as a dry run', async () => {
    const script = `helm() { command helm "$@" --dry-run=client; }\n${guide.named('helm')}`;
    const { code, stdout } = await withKubernetesTools(script, '.');
    expect([code, stdout]).toEqual([0, expect.stringContaining('NAMESPACE: guildhall')]);
    expect(stdout).toContain('image: "registry.example.com/guildhall:');
  });

  it('upgrades with options that Helm has', async () => {
    const [, options = ''] = /`helm upgrade guildhall deploy\/helm (.*)`/.exec(guide.text) ?? [];
    const { stdout } = await helm('upgrade', '--help');
    const used = options.match(/--[a-z-]+/g) ?? [];
    expect(used).toHaveLength(2);
    expect(used.filter((option) => !stdout.includes(`${option} `))).toEqual([]);
  });

  it('applies the manifest with arguments that kubectl accepts, as far as the cluster', async () => {
    const { code, stderr } = await withKubernetesTools(guide.named('manifest'), '.');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('127.0.0.1:1: connect: connection refused'),
    ]);
    const manifests = await parseManifests(await readFile(PLAIN, 'utf8'));
    // The namespace is that of the command.
    expect(manifests.filter(({ metadata }) => 'namespace' in metadata)).toEqual([]);
  });
});
