import { useMutation } from '@apollo/client/react';
import { chakra } from '@chakra-ui/react';
import { signUpSchema } from '@lotwatch/api/forms/sign-up';
import { graphql } from '../../gql/gql.ts';
import { toast } from '../../lib/state/toasts.ts';
import { ServerForm } from '../../ui/form/ServerForm.tsx';
import { Button } from '../../ui/parts/Button.tsx';
import { PasswordLine, TextLine } from './fields.tsx';
import { renewPush } from './session-push.ts';
import { setViewer } from './viewer.ts';

const RegisterDocument = graphql(`
  mutation Register($input: RegisterInput!) {
    register(input: $input) {
      ...Viewer_user
    }
  }
`);

const empty = { username: '', password: '', email: '', phone: '' };

/** Creates an account, which also signs in; the page then redirects. */
export function RegisterForm() {
  const [register, { client }] = useMutation(RegisterDocument);
  const save = async (values: typeof empty) => {
    const { data } = await register({ variables: { input: toRegisterInput(values) } });
    if (!data) return;
    toast('Registration successful', 'Your account has been created.');
    setViewer(client, data.register);
    void renewPush(client);
  };
  return (
    <ServerForm
      name="Register"
      initial={empty}
      schema={signUpSchema}
      save={save}
      onFault={({ message }) => toast('Registration failed', message, 'destructive')}
    >
      {({ isSubmitting }) => (
        <>
          <TextLine name="username" label="Username" autoComplete="username" required />
          <PasswordLine name="password" label="Password" autoComplete="new-password" required />
          <TextLine name="email" label="Email" type="email" autoComplete="email" />
          <TextLine name="phone" label="Phone" type="tel" autoComplete="tel" optional />
          <chakra.p fontSize="xs" color="muted">
            Email or phone is needed to receive alerts. They are used only for notifications and can be changed later
            without affecting login.
          </chakra.p>
          <Button type="submit" size="lg" w="full" disabled={isSubmitting}>
            {isSubmitting ? 'Creating account...' : 'Create Account'}
          </Button>
        </>
      )}
    </ServerForm>
  );
}

function toRegisterInput({ username, password, email, phone }: typeof empty) {
  return {
    username: username.trim(),
    password,
    email: email.trim() || undefined,
    phone: phone.trim() || undefined,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}
