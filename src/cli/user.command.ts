import { Option } from 'commander';
import { SYSTEM_ACTOR } from '../core/audit/audit.service.js';
import { UserCreationService } from '../identity/users/user-creation.service.js';
import { type Cli, CliError, type RegisterCommand } from './cli.js';

interface CreateUserOptions {
  username: string;
  name: string;
  email: string;
  password?: string;
  passwordStdin?: boolean;
  admin?: boolean;
}

/** `guildhall user create` */
export const registerUser: RegisterCommand = (program, cli) => {
  program
    .command('user')
    .description('manage users')
    .command('create')
    .description('create a user; without a password, password sign-in is disabled')
    .requiredOption('--username <username>', 'unique, also the path of the personal namespace')
    .requiredOption('--name <name>', 'full name')
    .requiredOption('--email <address>', 'unique e-mail address, counts as confirmed')
    .option('--password <password>', 'visible to other users of this machine while it runs')
    .addOption(
      new Option('--password-stdin', 'read the password from standard input').conflicts('password'),
    )
    .option('--admin', 'make the user an administrator')
    .action((options: CreateUserOptions) => createUser(cli, options));
};

async function createUser(cli: Cli, options: CreateUserOptions): Promise<void> {
  const { username, name, email, admin = false } = options;
  const password = await chosenPassword(cli, options);
  const user = await cli.withApp((app) =>
    app
      .get(UserCreationService)
      .create({ username, name, email, password, attributes: { admin } }, SYSTEM_ACTOR),
  );
  cli.print({ id: user.id, username, name, email, admin }, `Created ${username} (id ${user.id}).`);
}

async function chosenPassword(
  cli: Cli,
  { password, passwordStdin }: CreateUserOptions,
): Promise<string | null> {
  if (passwordStdin !== true) return password ?? null;
  const [line = ''] = (await cli.io.readStdin()).split(/\r?\n/);
  if (line === '') throw new CliError('no password on standard input');
  return line;
}
