//! The connections to OpenAI, hop by hop.
//!
//! A running Server is asked what it sees; a poll of our own would take commands away from it. Without one, and with
//! Tunnel ID and key in the environment, everything is started for as long as the check takes, so that whatever a poll
//! brings is carried out.

use std::time::Duration;

use serde_json::{Value, json};
use webcodex_contracts::CanonicalResult;
use webcodex_contracts::tools::get_runtime_status::{
    ConnectionHop, ConnectionStatus, GetRuntimeStatusOutput,
};
use webcodex_settings::{Settings, read_private};
use webcodex_tunnel::status::{Language, Reason};

use super::Check;
use crate::failure::Failure;
use crate::household::{self, Household, STATUS_CREDENTIAL};
use crate::instance::ServerFile;
use crate::request;
use crate::tunnel::{Access, NAME, Tunnel};

/// The tool that tells how connections stand.
const TOOL: &str = "get_runtime_status";

/// What was seen of the connection `wanted`, or of all.
pub(super) fn checks(settings: &Settings, wanted: Option<&str>) -> Result<Vec<Check>, Failure> {
    let runtime = household::runtime()?;
    let seen = match (ServerFile::of_running(&settings.folders), Access::of_environment(&settings.tunnel)) {
        (Some(server), _) => runtime.block_on(ask(settings, &server))?,
        (None, Some(access)) if wanted == Some(NAME) => runtime.block_on(try_out(settings, access))?,
        (None, access) => return untried(wanted, access.is_some()),
    };
    let named = |connection: &&ConnectionStatus| wanted.is_none_or(|wanted| connection.name == wanted);
    let checks: Vec<_> = seen.iter().filter(named).flat_map(hops).collect();
    match wanted {
        Some(wanted) if checks.is_empty() => Err(unknown(wanted, &seen)),
        _ => Ok(checks),
    }
}

async fn ask(settings: &Settings, server: &ServerFile) -> Result<Vec<ConnectionStatus>, Failure> {
    let credential = read_private(&settings.folders.credential_file(STATUS_CREDENTIAL)).ok().flatten();
    let credential = credential.unwrap_or_default();
    let failed = |why: String| Failure::new("the Server does not say how its connections stand").why(why);
    let result = request::call_tool(server.address, TOOL, json!({}), &credential).await;
    status(result.map_err(|error| failed(format!("{error:#}")))?)
        .map_err(|why| failed(why).next("restart WebCodex"))
}

fn status(result: Value) -> Result<Vec<ConnectionStatus>, String> {
    let result: CanonicalResult = serde_json::from_value(result).map_err(|error| error.to_string())?;
    let output = serde_json::from_value::<GetRuntimeStatusOutput>(Value::Object(result.output));
    Ok(output.map_err(|error| error.to_string())?.connections)
}

/// Nothing is broken, but the model does not see what this version can do.
const OLD_TOOLS: &str =
    "ChatGPT works with an older list of tools; press Refresh in the settings of its connector";

/// Connects for as long as the check takes.
async fn try_out(settings: &Settings, access: Access) -> Result<Vec<ConnectionStatus>, Failure> {
    let household = Household::start(settings).await?;
    let credential = household.serving.tunnel_credential().await?;
    let tunnel = Tunnel::start(access, &household.serving, &credential, settings).await?;
    tunnel.decided_within(Duration::from_secs(20)).await;
    let address = household.serving.address();
    let result = request::call_tool(address, TOOL, json!({}), credential.expose()).await;
    household.end().await;
    let failed = |why: String| Failure::new("the connection could not be checked").why(why);
    status(result.map_err(|error| failed(format!("{error:#}")))?).map_err(failed)
}

/// Nothing runs that knows connections, and the one of the environment is tried only where it is named: whatever the
/// poll brings is then carried out.
fn untried(wanted: Option<&str>, in_environment: bool) -> Result<Vec<Check>, Failure> {
    let Some(wanted) = wanted else {
        let one = || Check {
            name: format!("connection {NAME}"),
            found: "in the environment, not tried".to_owned(),
            next: Some(format!("run `webcodex doctor --connection {NAME}`")),
        };
        return Ok(in_environment.then(one).into_iter().collect());
    };
    let next = if in_environment {
        format!("start WebCodex; the connection of the environment is called `{NAME}`")
    } else {
        format!(
            "start WebCodex, or set CONTROL_PLANE_TUNNEL_ID and CONTROL_PLANE_API_KEY and ask for `{NAME}`"
        )
    };
    let what = format!("the connection `{wanted}` cannot be checked");
    Err(Failure::new(what).why("WebCodex is not running").next(next))
}

fn unknown(wanted: &str, seen: &[ConnectionStatus]) -> Failure {
    let names: Vec<_> = seen.iter().map(|connection| format!("`{}`", connection.name)).collect();
    let next = if names.is_empty() {
        "add one in the window, or start with `--tunnel openai`".to_owned()
    } else {
        format!("there is {}", names.join(", "))
    };
    Failure::new(format!("there is no connection `{wanted}`")).next(next)
}

/// One check for the connection as a whole and one for each hop.
fn hops(connection: &ConnectionStatus) -> Vec<Check> {
    let whole = Check {
        name: format!("connection {}", connection.name),
        found: connection.state.replace('_', " "),
        next: None,
    };
    std::iter::once(whole).chain(connection.hops.iter().map(|hop| check(&connection.name, hop))).collect()
}

fn check(connection: &str, hop: &ConnectionHop) -> Check {
    let words = hop.reason.as_deref().and_then(words);
    let found = match words {
        Some((sentence, _)) => sentence.to_owned(),
        None if hop.hop == "tools" && hop.state == "attention" => OLD_TOOLS.to_owned(),
        None => hop.state.clone(),
    };
    let helps = words.map_or("start `webcodex runner`", |(_, action)| action);
    let next = (hop.state == "broken").then(|| helps.to_owned());
    Check { name: format!("{connection} / {}", hop.hop.replace('_', " ")), found, next }
}

/// The sentence and the action for the code of a reason.
fn words(code: &str) -> Option<(&'static str, &'static str)> {
    let reason = Reason::ALL.iter().find(|reason| reason.code() == code)?;
    let text = reason.text(Language::English);
    Some((text.sentence, text.action))
}
