import { useMutation } from '@apollo/client/react';
import { Flex } from '@chakra-ui/react';
import { loginCodeSchema, loginSchema } from '@lotwatch/api/forms/sign-in';
import type { FormikHelpers } from 'formik';
import { useEffect, useRef, useState } from 'react';
import { graphql } from '../../gql/gql.ts';
import { type Fault, readFault } from '../../lib/server/faults/errors.ts';
import { loginFailure } from '../../lib/server/faults/fault-words.ts';
import { toast } from '../../lib/state/toasts.ts';
import { ServerForm } from '../../ui/form/ServerForm.tsx';
import { Button, TextLink } from '../../ui/parts/Button.tsx';
import { Muted } from '../../ui/parts/Card.tsx';
import { PasswordLine, TextLine } from './fields.tsx';
import { renewPush } from './session-push.ts';
import { setViewer } from './viewer.ts';

const LoginDocument = graphql(`
  mutation Login($username: String!, $password: String!, $code: String) {
    login(username: $username, password: $password, code: $code) {
      ...Viewer_user
    }
  }
`);

const empty = { username: '', password: '', code: '' };

/** Signs in, with a code in a second step if the account has one; the page then redirects. */
export function LoginForm() {
  const [logIn, { client }] = useMutation(LoginDocument);
  const [asksForCode, setAsksForCode] = useState(false);
  const save = async ({ username, password, code }: typeof empty, { setTouched }: FormikHelpers<typeof empty>) => {
    const given = asksForCode ? { code: code.trim() } : {};
    try {
      const { data } = await logIn({ variables: { username: username.trim(), password, ...given } });
      if (!data) return;
      toast('Login successful', `Welcome back, ${data.login.username}!`);
      setViewer(client, data.login);
      void renewPush(client);
    } catch (error) {
      if (readFault(error).code !== 'CODE_NEEDED') throw error;
      await setTouched({});
      setAsksForCode(true);
    }
  };
  const reportFault = ({ fields }: Fault, error: unknown) => {
    if (fields.code === undefined) toast('Login failed', loginFailure(error), 'destructive');
  };
  return (
    <ServerForm
      name="Login"
      initial={empty}
      schema={asksForCode ? loginCodeSchema : loginSchema}
      save={save}
      onFault={reportFault}
    >
      {({ isSubmitting, setFieldValue, setStatus }) => (
        <>
          {asksForCode ? (
            <CodeStep />
          ) : (
            <>
              <TextLine name="username" label="Username" autoComplete="username" required />
              <PasswordLine name="password" label="Password" autoComplete="current-password" required />
            </>
          )}
          <Button type="submit" size="lg" w="full" mt="1" disabled={isSubmitting}>
            {isSubmitting ? 'Signing in...' : 'Sign In'}
          </Button>
          <Flex justify="center" fontSize="sm">
            {asksForCode ? (
              <Button
                variant="link"
                size="text"
                onClick={() => {
                  setAsksForCode(false);
                  setStatus(undefined);
                  void setFieldValue('code', '');
                }}
              >
                Sign in as somebody else
              </Button>
            ) : (
              <TextLink to="/forgot-password">Forgot password?</TextLink>
            )}
          </Flex>
        </>
      )}
    </ServerForm>
  );
}

/** Takes the place of name and password, and the focus. */
function CodeStep() {
  const step = useRef<HTMLDivElement>(null);
  useEffect(() => step.current?.querySelector('input')?.focus(), []);
  return (
    <div ref={step}>
      <Muted mb="4">Your account requires a second step.</Muted>
      <TextLine
        name="code"
        label="Code"
        hint="The six digits that your authenticator app shows, or a recovery code."
        autoComplete="one-time-code"
        required
      />
    </div>
  );
}
