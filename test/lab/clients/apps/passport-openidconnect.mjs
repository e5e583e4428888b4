// passport-openidconnect in Express, as its documentation has it.
import express from "express";
import session from "express-session";
import passport from "passport";
import OpenIDConnectStrategy from "passport-openidconnect";

const { issuer, id, secret, url, port } = JSON.parse(process.env.CLIENT);
passport.use(
  new OpenIDConnectStrategy(
    {
      issuer,
      authorizationURL: `${issuer}/oauth/authorize`,
      tokenURL: `${issuer}/oauth/token`,
      userInfoURL: `${issuer}/oauth/userinfo`,
      clientID: id,
      clientSecret: secret,
      callbackURL: `${url}/callback`,
      scope: ["email", "profile"],
      skipUserProfile: false,
    },
    (_, profile, done) =>
      done(null, { sub: profile.id, name: profile.displayName, email: profile.emails?.[0]?.value }),
  ),
);
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));

const app = express();
app.use(session({ secret: "a secret of the laboratory", resave: false, saveUninitialized: false }));
app.use(passport.session());
app.get("/login", passport.authenticate("openidconnect"));
app.get("/callback", passport.authenticate("openidconnect", { successRedirect: "/", failureMessage: true }));
app.get("/", (request, response) => response.json(request.user ?? { problems: request.session.messages }));
app.listen(port, "127.0.0.1", () => console.log("ready"));
