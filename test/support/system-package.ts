import { APT_INSTALL, systemProgram } from '../../deploy/local/system-program.js';

/** A program that Debian, Fedora and Alpine have in a package of its name, unless another is given. */
export interface PackagedProgram {
  program: string;
  packageName?: string;
  /** Fail if the program or one of its packages is missing, `--version` unless given. */
  checkArguments?: string[];
}

/** Installs the program with the system's package manager unless it is on PATH. Throws a Refusal. */
export function installProgram(wanted: PackagedProgram): void {
  const { program, packageName = program, checkArguments } = wanted;
  const managers = { 'apt-get': APT_INSTALL, dnf: 'dnf install -y', apk: 'apk add' };
  systemProgram({
    name: program,
    programs: [program],
    ...(checkArguments !== undefined && { checkArguments }),
    installers: Object.entries(managers).map(([manager, command]) => ({
      manager,
      commands: [...(manager === 'apt-get' ? ['apt-get update'] : []), `${command} ${packageName}`],
    })),
    byHand: `Install the package ${packageName}.`,
  });
}
