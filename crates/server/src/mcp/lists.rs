//! What hosts list: tools and pages, in one order, the same for every client and era. Built once.

use std::sync::Arc;

use rmcp::model::{
    CacheScope, Implementation, JsonObject, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, MetaObject, ReadResourceResult, Resource, ResourceContents, Tool,
    ToolAnnotations,
};
use serde_json::{Value, json};
use webcodex_apps::Page;
use webcodex_contracts::table::{self, Descriptor};
use webcodex_contracts::{Effect, schema};

/// How long a host may keep a list, in milliseconds.
const TTL_MS: u64 = 5 * 60 * 1000;
/// Key of the Server's name and version in a result.
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// Which era a request belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Era {
    /// Up to 2025-11-25: an `initialize` came before.
    Legacy,
    /// From 2026-07-28: every request stands alone.
    Modern,
}

/// The lists in both eras.
pub(super) struct Lists {
    tools: ListToolsResult,
    /// Names the Server in results of the modern era.
    server: MetaObject,
}

impl Lists {
    pub(super) fn new(server: &Implementation) -> Self {
        let mut tools = ListToolsResult::with_all_items(
            table::all().iter().filter(|tool| tool.is_direct() || tool.is_app_only()).map(tool).collect(),
        );
        tools.ttl_ms = Some(TTL_MS);
        tools.cache_scope = Some(CacheScope::Private);
        let mut meta = MetaObject::new();
        if let Ok(server) = serde_json::to_value(server) {
            meta.0.insert(SERVER_INFO.to_owned(), server);
        }
        Self { tools, server: meta }
    }

    /// What a result of this era carries in `_meta`.
    pub(super) fn meta(&self, era: Era) -> Option<MetaObject> {
        (era == Era::Modern).then(|| self.server.clone())
    }

    /// `tools/list`.
    pub(super) fn tools(&self, era: Era) -> ListToolsResult {
        ListToolsResult { meta: self.meta(era), ..self.tools.clone() }
    }

    /// `resources/list`: the pages.
    pub(super) fn resources(&self, era: Era) -> ListResourcesResult {
        let pages = webcodex_apps::ALL.iter().map(resource).collect();
        let mut list = ListResourcesResult::with_all_items(pages);
        (list.meta, list.ttl_ms, list.cache_scope) =
            (self.meta(era), Some(TTL_MS), Some(CacheScope::Private));
        list
    }

    /// `resources/read` of a page.
    pub(super) fn page(&self, page: &Page, era: Era) -> ReadResourceResult {
        let content = ResourceContents::text(page.html, page.uri())
            .with_mime_type(webcodex_apps::MIME_TYPE)
            .with_meta(MetaObject(page.meta()));
        let mut read = ReadResourceResult::new(vec![content]);
        (read.meta, read.ttl_ms, read.cache_scope) =
            (self.meta(era), Some(TTL_MS), Some(CacheScope::Private));
        read
    }

    /// `resources/templates/list`: there are none.
    pub(super) fn templates(&self, era: Era) -> ListResourceTemplatesResult {
        let mut list = ListResourceTemplatesResult::with_all_items(Vec::new());
        (list.meta, list.ttl_ms, list.cache_scope) =
            (self.meta(era), Some(TTL_MS), Some(CacheScope::Private));
        list
    }

    /// `prompts/list`: there are none.
    pub(super) fn prompts(&self, era: Era) -> ListPromptsResult {
        let mut list = ListPromptsResult::with_all_items(Vec::new());
        (list.meta, list.ttl_ms, list.cache_scope) =
            (self.meta(era), Some(TTL_MS), Some(CacheScope::Private));
        list
    }
}

fn tool(descriptor: &Descriptor) -> Tool {
    let page = webcodex_apps::tool_meta(descriptor.name);
    // Our own pages know what they send and get; schemas for them would only be bytes in everybody's list. What they
    // send is checked all the same.
    let input = match descriptor.is_app_only() {
        true => json!({"type": "object"}),
        false => descriptor.input_schema.clone(),
    };
    let mut tool = Tool::new(descriptor.name.as_str(), descriptor.about, object(&input))
        .with_title(descriptor.title)
        .with_annotations(annotations(descriptor.effect));
    if page.is_none() {
        let result = schema::brief_result_schema(&descriptor.result_schema);
        tool = tool.with_raw_output_schema(object(&result));
    }
    match page {
        Some(meta) => tool.with_meta(MetaObject(meta)),
        None => tool,
    }
}

fn resource(page: &Page) -> Resource {
    Resource::new(page.uri(), page.name)
        .with_title(page.title)
        .with_description(page.about)
        .with_mime_type(webcodex_apps::MIME_TYPE)
        .with_size(page.html.len() as u64)
        .with_meta(MetaObject(page.meta()))
}

fn annotations(effect: Effect) -> ToolAnnotations {
    ToolAnnotations::new()
        .read_only(effect.is_read_only())
        .destructive(effect.is_destructive())
        .idempotent(effect.is_idempotent())
        .open_world(effect.is_open_world())
}

fn object(schema: &Value) -> Arc<JsonObject> {
    Arc::new(schema.as_object().cloned().unwrap_or_default())
}
