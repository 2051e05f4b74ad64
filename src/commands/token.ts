import { Command, Option } from 'commander';
import { createLoginCode, createToken, listTokens, revokeToken } from '../db/credentials.ts';
import { UserError } from '../domain/errors.ts';
import type { CommandContext } from './context.ts';
import { formatTable } from './table.ts';

type Role = 'viewer' | 'operator' | 'admin';

export function tokenCommand(context: CommandContext): Command {
  const command = new Command('token').description('who may use the API and the page');
  command
    .command('login')
    .description('print a one-time link that signs a browser in, valid for 10 minutes')
    .addHelpText('after', '\nExample:\n  offerbook token login')
    .action(async () => {
      await context.withRuntime(async ({ sql, config, now }) => {
        context.print(`${config.publicUrl}/login?code=${await createLoginCode(sql, now())}`);
      });
    });
  command
    .command('create')
    .description('make a token and print it; it is shown this once')
    .requiredOption('--name <name>', 'whose it is')
    .addOption(
      new Option('--role <role>', 'what it may do')
        .choices(['viewer', 'operator', 'admin'])
        .default('viewer'),
    )
    .addHelpText('after', '\nExample:\n  offerbook token create --name dashboard --role viewer')
    .action(async ({ name, role }: { name: string; role: Role }) => {
      await context.withRuntime(async ({ sql }) =>
        context.print((await createToken(sql, { name, role })).token),
      );
    });
  command
    .command('list')
    .description('list the tokens, without their secrets')
    .option('--json', 'answer in JSON')
    .addHelpText('after', '\nExample:\n  offerbook token list')
    .action(async ({ json }: { json?: true }) => {
      await context.withRuntime(async ({ sql }) => {
        const tokens = await listTokens(sql);
        const rows = tokens.map(({ id, name, role, createdAt, revokedAt }) => [
          id,
          name,
          role,
          createdAt.toISOString(),
          revokedAt?.toISOString() ?? '',
        ]);
        context.print(
          json ? JSON.stringify({ tokens }) : formatTable(['id', 'name', 'role', 'made', 'revoked'], rows),
        );
      });
    });
  command
    .command('revoke')
    .description('end a token at once')
    .argument('<id>', 'as `token list` shows it')
    .addHelpText('after', '\nExample:\n  offerbook token revoke 0199c0de-0000-7000-8000-000000000000')
    .action(async (id: string) => {
      await context.withRuntime(async ({ sql }) => {
        if (!(await revokeToken(sql, id)))
          throw new UserError(`There is no token ${id}: \`token list\` shows them.`);
        context.print(`The token ${id} is revoked.`);
      });
    });
  return command;
}
