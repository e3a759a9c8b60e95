import { useMutation } from '@apollo/client/react';
import { Flex } from '@chakra-ui/react';
import { Form, Formik } from 'formik';
import { graphql } from '../../gql/gql.ts';
import { loginFailure } from '../../lib/server/faults/fault-words.ts';
import { toast } from '../../lib/state/toasts.ts';
import { FocusFirstError } from '../../ui/form/FormField.tsx';
import { Button, TextLink } from '../../ui/parts/Button.tsx';
import { loginSchema } from './account-schemas.ts';
import { PasswordLine, TextLine } from './fields.tsx';
import { setViewer } from './viewer.ts';

const LoginDocument = graphql(`
  mutation Login($username: String!, $password: String!) {
    login(username: $username, password: $password) {
      ...Viewer_user
    }
  }
`);

/** Signs in; the page then leads on. */
export function LoginForm() {
  const [logIn, { client }] = useMutation(LoginDocument);
  const submit = async ({ username, password }: { username: string; password: string }) => {
    try {
      const { data } = await logIn({ variables: { username: username.trim(), password } });
      if (!data) return;
      toast('Login successful', `Welcome back, ${data.login.username}!`);
      setViewer(client, data.login);
    } catch (error) {
      toast('Login failed', loginFailure(error), 'destructive');
    }
  };
  return (
    <Formik initialValues={{ username: '', password: '' }} validationSchema={loginSchema} onSubmit={submit}>
      {({ isSubmitting }) => (
        <Form noValidate aria-label="Login">
          <FocusFirstError />
          <Flex direction="column" gap="4">
            <TextLine name="username" label="Username" autoComplete="username" required />
            <PasswordLine name="password" label="Password" autoComplete="current-password" required />
            <Button type="submit" size="lg" w="full" mt="1" disabled={isSubmitting}>
              {isSubmitting ? 'Signing in...' : 'Sign In'}
            </Button>
            <Flex justify="center" fontSize="sm">
              <TextLink to="/forgot-password">Forgot password?</TextLink>
            </Flex>
          </Flex>
        </Form>
      )}
    </Formik>
  );
}
